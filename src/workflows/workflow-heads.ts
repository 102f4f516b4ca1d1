import { Inject, Injectable } from '@nestjs/common';
import { checkShape, DIALECT, type Dialect, BatchLoader, type Write } from '../storage/index.js';
import type { Workflow } from './workflow.js';
import { WorkflowChangedError } from './workflows.errors.js';
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
 * Cache of workflows for starts of executions. On PostgreSQL, another process may have changed a cached workflow, so
 * the commit of a start must check the workflow's revision.
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
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  async find(id: string): Promise<Workflow | undefined> {
    const known = this.dialect === 'sqlite' ? this.known.get(id) : undefined;
    if (known !== undefined) return known;
    const { generation } = this;
    const read = await this.reads.find(id);
    if (read !== undefined && generation === this.generation) {
      if (this.known.size >= CAPACITY) this.known.clear();
      this.known.set(id, read);
    }
    return read;
  }

  /**
   * Returns a workflow from the cache, with the revision that the commit must check. A workflow that is not cached is
   * read from the database.
   */
  async current(id: string): Promise<WorkflowSnapshot | undefined> {
    const known = this.dialect === 'sqlite' ? undefined : this.known.get(id);
    if (known !== undefined) return { workflow: known, revision: known.revision };
    const workflow = await this.find(id);
    return workflow && { workflow, revision: null };
  }

  unchanged(id: string, revision: number): Write {
    return { shape: UNCHANGED, row: [id, revision], orFail: () => new WorkflowChangedError() };
  }

  changed(id: string): void {
    this.generation += 1;
    this.known.delete(id);
  }
}
