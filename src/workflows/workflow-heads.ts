import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { ProjectsService } from '../projects/index.js';
import { checkShape, DIALECT, type Dialect, BatchLoader, type Write } from '../storage/index.js';
import type { Workflow } from './workflow.js';
import { WorkflowChangedError, WorkflowNotFoundError } from './workflows.errors.js';
import { WorkflowsRepository } from './workflows.repository.js';

const CAPACITY = 1_000;

export interface WorkflowSnapshot {
  readonly workflow: Workflow;
  /**
   * Revision that the commit must check with `unchanged`. Null if the workflow cannot have changed: it was
   * just read, or no other process can write to the database (SQLite).
   */
  readonly revision: number | null;
}

const UNCHANGED = checkShape('workflows', { id: 'uuid', revision: 'integer' }, 't.deleted_at IS NULL');

/**
 * Reads workflows, and caches them for starts of executions. On PostgreSQL, another process may have changed a cached
 * workflow, so the commit of a start must check the workflow's revision.
 */
@Injectable()
export class WorkflowHeads {
  private readonly known = new Map<string, Workflow>();
  /**
   * Number that every change of a workflow increments. If the number changed during a read, the result is not cached.
   */
  private generation = 0;
  private readonly reads = new BatchLoader((ids) => this.repository.findAll(ids));

  constructor(
    private readonly repository: WorkflowsRepository,
    private readonly projects: ProjectsService,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  /**
   * Returns the current state of a workflow. On SQLite the cache is current, because no other process writes to the
   * database.
   * @throws WorkflowNotFoundError; ProjectOutOfReachError.
   */
  async read(principal: Principal, id: string): Promise<Workflow> {
    const workflow = (this.dialect === 'sqlite' ? this.known.get(id) : undefined) ?? (await this.load(id));
    await this.projects.reach(principal, workflow.projectId);
    return workflow;
  }

  /**
   * Reads a workflow for the start of an execution, possibly from the cache. The commit must check the workflow's
   * revision with `unchanged`. A cached workflow may be outdated, so callers must call `read` before they refuse a
   * start.
   * @throws WorkflowNotFoundError; ProjectOutOfReachError.
   */
  async snapshot(principal: Principal, id: string): Promise<WorkflowSnapshot> {
    const known = this.known.get(id);
    const workflow = known ?? (await this.load(id));
    await this.projects.reach(principal, workflow.projectId);
    const mayBeOutdated = known !== undefined && this.dialect !== 'sqlite';
    return { workflow, revision: mayBeOutdated ? workflow.revision : null };
  }

  /**
   * Returns a write that makes the commit fail with `WorkflowChangedError` if the workflow has changed since
   * the given revision.
   */
  unchanged(id: string, revision: number): Write {
    return { shape: UNCHANGED, row: [id, revision], orFail: () => new WorkflowChangedError() };
  }

  changed(id: string): void {
    this.generation += 1;
    this.known.delete(id);
  }

  private async load(id: string): Promise<Workflow> {
    const { generation } = this;
    const read = await this.reads.find(id);
    if (read === undefined) throw new WorkflowNotFoundError(id);
    if (generation === this.generation) {
      if (this.known.size >= CAPACITY) this.known.clear();
      this.known.set(id, read);
    }
    return read;
  }
}
