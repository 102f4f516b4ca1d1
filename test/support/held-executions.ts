import type { JournalEvent } from '../../src/execution-events/index.js';
import {
  type NewExecution,
  type Execution,
  executionAfter,
  type ExecutionRepository,
  hasEnded,
  LeaseLostError,
} from '../../src/execution-store/index.js';
import { JournalFullError } from '../../src/journal/index.js';
import type { Write } from '../../src/storage/index.js';

/** The methods of the execution store that require the lease of the execution. */
export type HeldExecutionStore = Pick<ExecutionRepository, 'advance' | 'handBack' | 'release'>;

/** The events and writes that the process with the lease commits together. */
export interface HeldCommit {
  readonly events: readonly JournalEvent[];
  readonly writes: readonly Write[];
  readonly children: readonly NewExecution[];
}

/**
 * An in-memory execution store that checks leases and epochs like the store in the database. Both stores must pass the
 * tests in `held-executions.contract.ts`.
 */
export class HeldExecutions implements HeldExecutionStore {
  readonly commits: HeldCommit[] = [];
  private readonly rows = new Map<string, Execution>();

  add(execution: Execution): void {
    this.rows.set(execution.id, execution);
  }

  stored(id: string): Execution {
    const row = this.rows.get(id);
    if (row === undefined) throw new Error(`There is no execution ${id}.`);
    return row;
  }

  /** All events that were committed, in order. */
  get events(): readonly JournalEvent[] {
    return this.commits.flatMap(({ events }) => events);
  }

  /** Moves the lease of an execution to another process. */
  takeOver(id: string): void {
    const row = this.stored(id);
    this.add({ ...row, lease: { owner: 'another', epoch: row.lease.epoch + 1 } });
  }

  async advance(
    execution: Execution,
    events: readonly JournalEvent[],
    release: boolean,
    sameCommit: { readonly writes: readonly Write[]; readonly children: readonly NewExecution[] } = {
      writes: [],
      children: [],
    },
    room = Infinity,
  ): Promise<Execution> {
    const bytes = events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
    if (bytes > room) throw new JournalFullError(bytes);
    const row = this.stored(execution.id);
    if (!this.isHeld(execution) || row.progress.lastSequence !== execution.progress.lastSequence)
      throw new LeaseLostError(execution.id);
    const { progress } = executionAfter(execution, events);
    const owner = release ? null : execution.lease.owner;
    const after = {
      ...execution,
      progress,
      lease: { ...execution.lease, owner },
      bytes: (execution.bytes ?? 0) + bytes,
    };
    this.add(after);
    this.commits.push({ events, ...sameCommit });
    await Promise.resolve();
    return after;
  }

  async release(
    execution: Execution,
    runnableAt: string | null,
    writes: readonly Write[],
  ): Promise<Execution> {
    if (!this.isHeld(execution)) throw new LeaseLostError(execution.id);
    const { progress, lease } = execution;
    const after = { ...execution, progress: { ...progress, runnableAt }, lease: { ...lease, owner: null } };
    this.add(after);
    this.commits.push({ events: [], writes, children: [] });
    await Promise.resolve();
    return after;
  }

  async handBack(
    execution: Pick<Execution, 'id' | 'lease'>,
    runnableAt: string,
    statusReason: string,
  ): Promise<void> {
    await Promise.resolve();
    if (!this.isHeld(execution)) return;
    const row = this.stored(execution.id);
    this.add({
      ...row,
      progress: { ...row.progress, runnableAt, statusReason },
      lease: { ...row.lease, owner: null },
    });
  }

  private isHeld({ id, lease }: Pick<Execution, 'id' | 'lease'>): boolean {
    const row = this.stored(id);
    return row.lease.epoch === lease.epoch && !hasEnded(row);
  }
}
