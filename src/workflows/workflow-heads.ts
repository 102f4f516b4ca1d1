import { Inject, Injectable } from '@nestjs/common';
import { DIALECT, type Dialect, GatheredReads } from '../platform/index.js';
import type { Workflow } from './workflow.js';
import { WorkflowsRepository } from './workflows.repository.js';

/** Workflows remembered. */
const CAPACITY = 1_000;

/**
 * Workflows as they stand now, for the start of executions. On SQLite this process is the only one that
 * changes them, so they are remembered until it does; on PostgreSQL they are read each time, for all who ask at once.
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
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const { generation } = this;
    const read = await this.reads.find(id);
    if (read !== undefined && this.dialect === 'sqlite' && generation === this.generation) {
      if (this.known.size >= CAPACITY) this.known.clear();
      this.known.set(id, read);
    }
    return read;
  }

  /** To be called when a change of the workflow is durable. */
  changed(id: string): void {
    this.generation += 1;
    this.known.delete(id);
  }
}
