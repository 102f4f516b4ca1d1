import { Inject, Injectable } from '@nestjs/common';
import { NodeFailure } from '../../node-contract/index.js';
import { SETTINGS, type Settings } from '../../settings/index.js';
import type { Execution } from '../../execution-store/index.js';
import { BoundedCount } from './bounded-count.js';
import { LimitsRepository } from './limits.repository.js';
import { TooManyExecutionsError } from '../execution-start.errors.js';

/** A child whose commit nobody reported counts as being committed for so long. */
const UNSETTLED_MS = 30_000;

/** How many executions a project may have that have not ended, and how many may descend from one root. */
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
   * Admits a start, which is to be `settle`d whatever becomes of it. Almost always there is nothing to wait for.
   * @throws TooManyExecutionsError
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
   * Admits a child.
   * @returns what is to be called when the child is committed or never will be
   * @throws NodeFailure `too_many_descendants` or `too_many_executions`
   */
  async admitChild(parent: Execution): Promise<() => void> {
    const rootId = parent.rootId ?? parent.id;
    const { MAX_DESCENDANTS: descendants, MAX_UNFINISHED_EXECUTIONS: unfinished } = this.settings;
    if (!(await this.descendants.admit(rootId)))
      throw new NodeFailure(
        'too_many_descendants',
        `The execution ${rootId} has ${descendants} descendants already, as many as MAX_DESCENDANTS allows.`,
        { retryable: false, details: { root_id: rootId, limit: descendants } },
      );
    if (!(await this.admitBelow(rootId, parent.projectId)))
      throw new NodeFailure(
        'too_many_executions',
        `The project has ${unfinished} executions that have not ended, as many as MAX_UNFINISHED_EXECUTIONS allows.`,
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

  /** A child that its project has no room for does not count as a descendant either. */
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
