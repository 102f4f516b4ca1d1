import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, type Statement, type Write, Writer } from '../storage/index.js';
import type { Gates, AdmissionState } from './gates.js';

export interface QueuedExecution extends Gates {
  readonly executionId: string;
  readonly priority: number;
  /** Earliest time at which the execution may be admitted, in ISO 8601. */
  readonly dueAt: string;
  /** Number of the slot that the admitted execution has; null while the execution waits for admission. */
  readonly slot: number | null;
}

export type Candidate = Pick<QueuedExecution, 'executionId' | 'workflowId' | 'sessionId'>;

/** Thrown inside a commit when another execution already has the slot, or was admitted first in the serial session. */
export class SlotTakenError extends Error {
  override readonly name = 'SlotTakenError';
}

/**
 * Thrown inside a commit when an execution no longer waits for admission, because it has ended or was already admitted.
 */
class NotWaitingError extends Error {
  override readonly name = 'NotWaitingError';
}

/**
 * Returns the write that releases the slot of an execution and its turn in a serial session. The write belongs to the
 * commit that ends the execution.
 */
export function leaving(executionId: string): Write {
  return { shape: LEAVING, row: [executionId] };
}

const LEAVING = {
  sqlite: 'DELETE FROM execution_admissions WHERE execution_id = ?',
  postgres:
    'DELETE FROM execution_admissions AS a USING unnest($1::uuid[]) AS v(id) WHERE a.execution_id = v.id',
};

const HIGHEST_PRIORITY = 9;

/**
 * SQL condition that selects an execution whose turn has come. The execution waits and is due, and no other execution
 * of its session is admitted or has an earlier turn.
 */
const HAS_ITS_TURN = `a.slot IS NULL AND a.due_at <= ? AND NOT EXISTS (
  SELECT 1 FROM execution_admissions b WHERE a.session_id IS NOT NULL AND b.session_id = a.session_id
    AND b.position <> a.position AND (b.slot IS NOT NULL OR (b.position < a.position AND b.due_at <= ?)))`;

/** Stores the admissions of executions. All times are strings in ISO 8601. */
@Injectable()
export class AdmissionRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {}

  /**
   * Returns the statement that adds a new execution. The statement belongs to the commit that creates the execution.
   * This commit fails with SlotTakenError if the slot is in use.
   */
  entering({ executionId, workflowId, sessionId, priority, dueAt, slot }: QueuedExecution): Statement {
    return {
      ...this.statement(
        'INSERT INTO execution_admissions (execution_id, workflow_id, session_id, rank, due_at, slot) VALUES (?, ?, ?, ?, ?, ?)',
        [executionId, workflowId, sessionId, HIGHEST_PRIORITY - priority, dueAt, slot],
      ),
      onDuplicate: () => new SlotTakenError(),
    };
  }

  async line({ workflowId, sessionId }: Gates, now: string): Promise<AdmissionState> {
    const waiting =
      workflowId === null
        ? []
        : await this.query(
            'SELECT 1 FROM execution_admissions WHERE workflow_id = ? AND slot IS NULL AND due_at <= ? LIMIT 1',
            [workflowId, now],
          );
    const before =
      sessionId === null
        ? []
        : await this.query(
            'SELECT 1 FROM execution_admissions WHERE session_id = ? AND (slot IS NOT NULL OR due_at <= ?) LIMIT 1',
            [sessionId, now],
          );
    const taken = workflowId === null ? [] : await this.taken(workflowId);
    return { taken, isWaitedFor: waiting.length > 0, isBehind: before.length > 0 };
  }

  async taken(workflowId: string): Promise<readonly number[]> {
    const rows = await this.query<{ slot: number }>(
      'SELECT slot FROM execution_admissions WHERE workflow_id = ? AND slot IS NOT NULL',
      [workflowId],
    );
    return rows.map(({ slot }) => slot);
  }

  /** Returns the executions of a workflow that may be admitted now, highest priority first. */
  ofWorkflow(workflowId: string, now: string, limit: number): Promise<readonly Candidate[]> {
    return this.candidates('a.workflow_id = ?', workflowId, now, limit);
  }

  /**
   * Returns the execution of a session that may be admitted next; undefined if no execution of the session may be
   * admitted now.
   */
  async ofSession(sessionId: string, now: string): Promise<Candidate | undefined> {
    return (await this.candidates('a.session_id = ?', sessionId, now, 1))[0];
  }

  /** Returns the ids of workflows and sessions for which due executions wait. */
  async waitedFor(now: string): Promise<{ workflowIds: readonly string[]; sessionIds: readonly string[] }> {
    const workflows = await this.query<{ id: string }>(
      'SELECT DISTINCT workflow_id AS id FROM execution_admissions WHERE slot IS NULL AND due_at <= ? AND workflow_id IS NOT NULL',
      [now],
    );
    const sessions = await this.query<{ id: string }>(
      'SELECT DISTINCT session_id AS id FROM execution_admissions WHERE slot IS NULL AND due_at <= ? AND workflow_id IS NULL',
      [now],
    );
    return { workflowIds: workflows.map(({ id }) => id), sessionIds: sessions.map(({ id }) => id) };
  }

  /** Returns the time at which the next waiting execution becomes due, in ISO 8601; null if none becomes due later. */
  async nextDueAt(now: string): Promise<string | null> {
    const [row] = await this.query<{ at: string | Date | null }>(
      'SELECT min(due_at) AS at FROM execution_admissions WHERE slot IS NULL AND due_at > ?',
      [now],
    );
    return row?.at === null || row?.at === undefined ? null : new Date(row.at).toISOString();
  }

  /**
   * Admits a waiting execution. The commit also increments the lease epoch, so that a concurrent writer reads the
   * execution again.
   * @returns false if the slot is taken, or if the execution has ended or was already admitted
   */
  async admit(executionId: string, slot: number, now: string): Promise<boolean> {
    const gone = (): Error => new NotWaitingError();
    const writes = [
      {
        ...this.statement(
          `UPDATE executions SET admission = 'admitted', lease_epoch = lease_epoch + 1 WHERE id = ? AND admission = 'parked' AND finished_at IS NULL`,
          [executionId],
        ),
        orFail: gone,
      },
      this.statement(
        `UPDATE executions SET runnable_at = ?, status_reason = NULL WHERE id = ? AND status = 'queued'`,
        [now, executionId],
      ),
      {
        ...this.statement(
          'UPDATE execution_admissions SET slot = ? WHERE execution_id = ? AND slot IS NULL',
          [slot, executionId],
        ),
        orFail: gone,
        onDuplicate: () => new SlotTakenError(),
      },
    ];
    try {
      await this.writer.commit({ key: executionId, writes });
      return true;
    } catch (error) {
      if (error instanceof SlotTakenError || error instanceof NotWaitingError) return false;
      throw error;
    }
  }

  async find(executionId: string): Promise<QueuedExecution | undefined> {
    const [row] = await this.query<{
      workflow_id: string | null;
      session_id: string | null;
      rank: number;
      due_at: string | Date;
      slot: number | null;
    }>(
      'SELECT workflow_id, session_id, rank, due_at, slot FROM execution_admissions WHERE execution_id = ?',
      [executionId],
    );
    if (row === undefined) return undefined;
    return {
      executionId,
      workflowId: row.workflow_id,
      sessionId: row.session_id,
      priority: HIGHEST_PRIORITY - row.rank,
      dueAt: new Date(row.due_at).toISOString(),
      slot: row.slot,
    };
  }

  /** Returns the ids of the admitted executions of a workflow, the earliest created first. */
  async holdersOf(workflowId: string, limit: number): Promise<readonly string[]> {
    return this.ids(
      `SELECT execution_id AS id FROM execution_admissions WHERE workflow_id IN (?) AND slot IS NOT NULL ORDER BY position LIMIT ${limit}`,
      [workflowId],
    );
  }

  /**
   * Returns the ids of the executions that block an execution in its serial session. The admitted execution
   * comes first, then waiting executions with an earlier turn.
   */
  async before(executionId: string, now: string, limit: number): Promise<readonly string[]> {
    return this.ids(
      `SELECT b.execution_id AS id FROM execution_admissions a JOIN execution_admissions b ON b.session_id = a.session_id AND b.position <> a.position
       WHERE a.execution_id = ? AND (b.slot IS NOT NULL OR (b.position < a.position AND b.due_at <= ?))
       ORDER BY CASE WHEN b.slot IS NULL THEN 1 ELSE 0 END, b.position LIMIT ${limit}`,
      [executionId, now],
    );
  }

  private candidates(
    condition: string,
    id: string,
    now: string,
    limit: number,
  ): Promise<readonly Candidate[]> {
    return this.query<Candidate>(
      `SELECT a.execution_id AS "executionId", a.workflow_id AS "workflowId", a.session_id AS "sessionId"
       FROM execution_admissions a WHERE ${condition} AND ${HAS_ITS_TURN} ORDER BY a.rank, a.position LIMIT ${limit}`,
      [id, now, now],
    );
  }

  private async ids(text: string, parameters: readonly unknown[]): Promise<readonly string[]> {
    return (await this.query<{ id: string }>(text, parameters)).map(({ id }) => id);
  }

  private query<Row>(text: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    const statement = this.statement(text, parameters);
    return this.dataSource.query<readonly Row[]>(statement.sql, [...parameters]);
  }

  private statement(text: string, parameters: readonly unknown[]): Statement {
    let index = 0;
    return {
      sql: this.dialect === 'postgres' ? text.replaceAll('?', () => `$${++index}`) : text,
      parameters,
    };
  }
}
