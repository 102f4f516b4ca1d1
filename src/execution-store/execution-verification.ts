import { Injectable } from '@nestjs/common';
import { isFinal, isKnown } from '../execution-events/index.js';
import { JournalRepository } from '../journal/index.js';
import { SlowQueryRunner } from '../storage/index.js';
import { type ExecutionProgress, NOT_STARTED, progressAfter } from './execution.js';

/** Number of execution rows that one query reads. */
const PAGE = 500;
/** Number of journal batches that one query reads. */
const BATCHES = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/**
 * Maximum number of times that an execution is compared with its journal. Another comparison is necessary if the
 * execution changed meanwhile.
 */
const TRIES = 20;

/** An execution whose row differs from its journal. */
export interface ExecutionFault {
  readonly executionId: string;
  /**
   * Description of the difference as part of a sentence, such as `the start times of the row and the journal differ`.
   */
  readonly reason: string;
}

export interface Verified {
  readonly executions: number;
  readonly events: number;
  readonly faults: number;
}

/**
 * Columns of an execution's row that must match the journal. SQLite returns times as strings, and PostgreSQL returns
 * dates.
 */
interface Row {
  readonly id: string;
  readonly status: ExecutionProgress['status'];
  readonly nodes_completed: number;
  readonly started_at: string | Date | null;
  readonly finished_at: string | Date | null;
  readonly last_sequence: number;
}

const COLUMNS = 'id, status, nodes_completed, started_at, finished_at, last_sequence';

/**
 * Compares the row of every execution with the execution's journal. Verification writes nothing, so the service may run
 * meanwhile.
 */
@Injectable()
export class ExecutionVerification {
  constructor(
    private readonly slowQueries: SlowQueryRunner,
    private readonly journal: JournalRepository,
  ) {}

  /**
   * Verifies all executions.
   *
   * @param report called for each execution whose row differs from its journal
   * @param progress called after each page with the number of verified executions
   */
  async verify(
    report: (fault: ExecutionFault) => void,
    progress: (executions: number) => void = () => undefined,
  ): Promise<Verified> {
    let [executions, events, faults] = [0, 0, 0];
    for (let after = BEFORE_ALL; ;) {
      const rows = await this.slowQueries.rows<Row>(
        `SELECT ${COLUMNS} FROM executions WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
        [after],
      );
      for (const row of rows) {
        const { reason, read } = await this.compare(row);
        events += read;
        if (reason === null) continue;
        faults += 1;
        report({ executionId: row.id, reason });
      }
      executions += rows.length;
      progress(executions);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return { executions, events, faults };
      after = last.id;
    }
  }

  /**
   * Compares a row with the execution's journal. Compares again if another process changed the row during the
   * comparison.
   */
  private async compare(first: Row): Promise<{ readonly reason: string | null; readonly read: number }> {
    let row = first;
    for (let tries = 1; ; tries += 1) {
      const found = await this.differenceOf(row);
      const [now] = await this.slowQueries.rows<Row>(`SELECT ${COLUMNS} FROM executions WHERE id = ?`, [
        row.id,
      ]);
      // A missing row is no difference, because retention may delete the execution during the comparison.
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
        // This version cannot compare an execution if a newer version of the service has written unknown events to its
        // journal.
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
    return `the row counts ${row.last_sequence} events, the journal has ${progress.lastSequence}`;
  // Only final statuses are compared, because other statuses also depend on the lease, which the journal does
  // not contain.
  if ((isFinal(row.status) || isFinal(progress.status)) && row.status !== progress.status)
    return `the status of the row is ${row.status}, that of the journal is ${progress.status}`;
  if (row.nodes_completed !== progress.nodesCompleted)
    return `the row counts ${row.nodes_completed} completed nodes, the journal has ${progress.nodesCompleted}`;
  if (millisecondsOf(row.started_at) !== millisecondsOf(progress.startedAt))
    return 'the start times of the row and the journal differ';
  if (millisecondsOf(row.finished_at) !== millisecondsOf(progress.finishedAt))
    return 'the end times of the row and the journal differ';
  return null;
}

function millisecondsOf(time: string | Date | null): number | null {
  return time === null ? null : new Date(time).getTime();
}
