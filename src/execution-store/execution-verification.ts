import { Injectable } from '@nestjs/common';
import { isFinal, isKnown } from '../execution-events/index.js';
import { JournalRepository } from '../journal/index.js';
import { LongReads } from '../storage/index.js';
import { type ExecutionProgress, NOT_STARTED, progressAfter } from './execution.js';

/** Executions whose rows are read at once. */
const PAGE = 500;
/** Batches of a journal that are read at once. */
const BATCHES = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** A running service moves an execution on between two reads; it has to stand still once in so many. */
const TRIES = 20;

/** An execution whose row is not what its journal says. */
export interface ExecutionFault {
  readonly executionId: string;
  /** In words: `the row is completed, its journal running`. */
  readonly reason: string;
}

/** How much was looked at. */
export interface Verified {
  readonly executions: number;
  readonly events: number;
  readonly faults: number;
}

/** What the row of an execution says of its journal. Times are texts on SQLite, dates on PostgreSQL. */
interface Row {
  readonly id: string;
  readonly status: ExecutionProgress['status'];
  readonly nodes_completed: number;
  readonly started_at: string | Date | null;
  readonly finished_at: string | Date | null;
  readonly last_sequence: number;
}

const COLUMNS = 'id, status, nodes_completed, started_at, finished_at, last_sequence';

/** Compares every execution with its journal, beside a running service too. It changes nothing. */
@Injectable()
export class ExecutionVerification {
  constructor(
    private readonly longReads: LongReads,
    private readonly journal: JournalRepository,
  ) {}

  /**
   * @param tell is given each fault as it is found
   * @param progress is told how many executions are done, now and then
   */
  async verify(
    tell: (fault: ExecutionFault) => void,
    progress: (executions: number) => void = () => undefined,
  ): Promise<Verified> {
    let [executions, events, faults] = [0, 0, 0];
    for (let after = BEFORE_ALL; ;) {
      const rows = await this.longReads.rows<Row>(
        `SELECT ${COLUMNS} FROM executions WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
        [after],
      );
      for (const row of rows) {
        const { reason, read } = await this.compare(row);
        events += read;
        if (reason === null) continue;
        faults += 1;
        tell({ executionId: row.id, reason });
      }
      executions += rows.length;
      progress(executions);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return { executions, events, faults };
      after = last.id;
    }
  }

  /** Reads the row again after its journal: where it has changed meanwhile, both are read anew. */
  private async compare(first: Row): Promise<{ readonly reason: string | null; readonly read: number }> {
    let row = first;
    for (let tries = 1; ; tries += 1) {
      const found = await this.differenceOf(row);
      const [now] = await this.longReads.rows<Row>(`SELECT ${COLUMNS} FROM executions WHERE id = ?`, [
        row.id,
      ]);
      // Retention has removed it, and its journal with it.
      if (now === undefined) return { reason: null, read: found.read };
      if (found.reason === null || now.last_sequence === row.last_sequence || tries === TRIES) return found;
      row = now;
    }
  }

  private async differenceOf(row: Row): Promise<{ readonly reason: string | null; readonly read: number }> {
    let progress = NOT_STARTED;
    let read = 0;
    while (read < row.last_sequence) {
      const { batches } = await this.journal.ofExecution(row.id, read, BATCHES);
      if (batches.length === 0)
        return { reason: `its journal ends at event ${read} of ${row.last_sequence}`, read };
      for (const { firstSequence, events } of batches) {
        if (firstSequence !== read + 1)
          return { reason: `event ${read} is followed by a batch that begins at ${firstSequence}`, read };
        // What a later version of the service wrote, only that version can judge.
        if (!events.every(isKnown)) return { reason: null, read };
        progress = progressAfter(progress, read === 0 ? events.slice(1) : events);
        read += events.length;
      }
    }
    return { reason: differenceBetween(row, progress), read };
  }
}

function differenceBetween(row: Row, progress: ExecutionProgress): string | null {
  if (progress.lastSequence !== row.last_sequence)
    return `the row counts ${row.last_sequence} events, its journal has ${progress.lastSequence}`;
  // Of one that goes on, the row also says who holds it, of which the journal knows nothing.
  if ((isFinal(row.status) || isFinal(progress.status)) && row.status !== progress.status)
    return `the row is ${row.status}, its journal ${progress.status}`;
  if (row.nodes_completed !== progress.nodesCompleted)
    return `the row counts ${row.nodes_completed} completed nodes, its journal ${progress.nodesCompleted}`;
  if (millisecondsOf(row.started_at) !== millisecondsOf(progress.startedAt))
    return 'the row and its journal started at different times';
  if (millisecondsOf(row.finished_at) !== millisecondsOf(progress.finishedAt))
    return 'the row and its journal ended at different times';
  return null;
}

function millisecondsOf(time: string | Date | null): number | null {
  return time === null ? null : new Date(time).getTime();
}
