import { Inject, Injectable } from '@nestjs/common';
import { checkShape, DIALECT, type Dialect, GatheredReads, type Write } from '../storage/index.js';
import type { Workflow } from './workflow.js';
import { WorkflowChangedError } from './workflows.errors.js';
import { WorkflowsRepository } from './workflows.repository.js';

/** Workflows remembered. */
const CAPACITY = 1_000;

/** A workflow as somebody relies on it. */
export interface Standing {
  readonly workflow: Workflow;
  /** What the commit that relies on it is to hold to, by `unchanged`; null where the workflow was read just now. */
  readonly revision: number | null;
}

/** Holds to the revision that a workflow was read with. */
const UNCHANGED = checkShape('workflows', { id: 'uuid', revision: 'integer' }, 't.deleted_at IS NULL');

/**
 * Workflows as they stand now, for the start of executions. On SQLite this process is the only one that
 * changes them, so they are remembered until it does; on PostgreSQL they are read each time, for all who ask at once,
 * but for who lets its commit check what is remembered.
 */
@Injectable()
export class WorkflowHeads {
  private readonly known = new Map<string, Workflow>();
  /** Grows with every change: a reading that began before one is not remembered. */
  private generation = 0;
  private readonly reads = new GatheredReads((ids) => this.repository.findAll(ids));

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

  /** As it was read last, with what holds a commit to that; else as it is. */
  async standing(id: string): Promise<Standing | undefined> {
    const known = this.dialect === 'sqlite' ? undefined : this.known.get(id);
    if (known !== undefined) return { workflow: known, revision: known.revision };
    const workflow = await this.find(id);
    return workflow && { workflow, revision: null };
  }

  /** Refuses a commit where the workflow is no longer as it was read. */
  unchanged(id: string, revision: number): Write {
    return { shape: UNCHANGED, row: [id, revision], orFail: () => new WorkflowChangedError() };
  }

  /** To be called when a change of the workflow is durable. */
  changed(id: string): void {
    this.generation += 1;
    this.known.delete(id);
  }
}
