import { Inject, Injectable } from '@nestjs/common';
import { NodeFailure } from '../../node-contract/index.js';
import { SETTINGS, type Settings } from '../../settings/index.js';
import type { Execution } from '../../execution-store/index.js';
import { BoundedCount } from './bounded-count.js';
import { LimitsRepository } from './limits.repository.js';
import { TooManyExecutionsError } from '../execution-start.errors.js';

/** Milliseconds after which an admitted child no longer counts as pending, even if its commit was never reported. */
const UNSETTLED_MS = 30_000;

@Injectable()
export class ExecutionLimits {
  private readonly unfinished: BoundedCount;
  private readonly descendants: BoundedCount;

  constructor(
    @Inject(LimitsRepository) repository: Pick<LimitsRepository, 'descendants' | 'unfinished'>,
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'MAX_UNFINISHED_EXECUTIONS' | 'MAX_DESCENDANTS'>,
  ) {
    this.unfinished = new BoundedCount(settings.MAX_UNFINISHED_EXECUTIONS, (projectId, atMost) =>
      repository.unfinished(projectId, atMost),
    );
    this.descendants = new BoundedCount(settings.MAX_DESCENDANTS, (rootId, atMost) =>
      repository.descendants(rootId, atMost),
    );
  }

  /**
   * Admits a start if its project is below the limit of unfinished executions. The caller must call `settle` after the
   * commit of the start. Returns a promise only if the executions must be counted first.
   *
   * @throws TooManyExecutionsError if the project has the maximum number of unfinished executions
   */
  admit(projectId: string): void | Promise<void> {
    const isAdmitted = this.unfinished.admit(projectId);
    if (isAdmitted === true) return;
    return this.requireAdmitted(isAdmitted);
  }

  settle(projectId: string): void {
    this.unfinished.settle(projectId);
  }

  /**
   * Admits a child if its root execution and its project are below their limits.
   *
   * @returns a function that the caller must call after the commit of the child
   * @throws NodeFailure `too_many_descendants` or `too_many_executions`
   */
  async admitChild(parent: Execution): Promise<() => void> {
    const rootId = parent.rootId ?? parent.id;
    const { MAX_DESCENDANTS: descendants, MAX_UNFINISHED_EXECUTIONS: unfinished } = this.settings;
    if (!(await this.descendants.admit(rootId)))
      throw new NodeFailure(
        'too_many_descendants',
        `The execution ${rootId} has ${descendants} descendants, which is the maximum (MAX_DESCENDANTS).`,
        { retryable: false, details: { root_id: rootId, limit: descendants } },
      );
    if (!(await this.admitBelow(rootId, parent.projectId)))
      throw new NodeFailure(
        'too_many_executions',
        `The project has ${unfinished} unfinished executions, which is the maximum (MAX_UNFINISHED_EXECUTIONS).`,
        { retryable: true, details: { limit: unfinished } },
      );
    let isSettled = false;
    const settle = (): void => {
      clearTimeout(timer);
      if (isSettled) return;
      isSettled = true;
      this.descendants.settle(rootId);
      this.unfinished.settle(parent.projectId);
    };
    const timer = setTimeout(settle, UNSETTLED_MS);
    timer.unref();
    return settle;
  }

  private async requireAdmitted(isAdmitted: boolean | Promise<boolean>): Promise<void> {
    if (!(await isAdmitted)) throw new TooManyExecutionsError(this.settings.MAX_UNFINISHED_EXECUTIONS);
  }

  /**
   * Admits a child if its project is below the limit of unfinished executions. If the child is refused, it no longer
   * counts as a descendant of its root execution.
   */
  private async admitBelow(rootId: string, projectId: string): Promise<boolean> {
    let isAdmitted = false;
    try {
      isAdmitted = await this.unfinished.admit(projectId);
      return isAdmitted;
    } finally {
      if (!isAdmitted) this.descendants.settle(rootId);
    }
  }
}
