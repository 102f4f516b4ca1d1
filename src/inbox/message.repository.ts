import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { FINAL_STATUSES } from '../execution-events/index.js';
import { type Message } from '../engine/index.js';
import { DIALECT, type Dialect, type Statement, marked, markedStatement, marksOf } from '../storage/index.js';
import { MESSAGE_COLUMNS, messageOf, type MessageRow, messageValues } from './message-row.js';

const ENDED = `(${FINAL_STATUSES.map((status) => `'${status}'`).join(', ')})`;

const IDS_AT_ONCE = 500;

export interface StoredMessage {
  readonly message: Message;
  readonly isSeen: boolean;
}

@Injectable()
export class MessageRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  insert(executionId: string, message: Message, createdAt: string): Statement {
    const values = messageValues(executionId, message, createdAt);
    return markedStatement(
      this.dialect,
      `INSERT INTO execution_messages (${MESSAGE_COLUMNS.join(', ')}) VALUES (${values.map(() => '?').join(', ')})`,
      values,
    );
  }

  async list(executionId: string): Promise<readonly StoredMessage[]> {
    const rows = await this.query<MessageRow>(
      'SELECT id, kind, name, payload, node_id, attempt, traceparent, seen_at FROM execution_messages WHERE execution_id = ? ORDER BY id',
      [executionId],
    );
    return rows.map((row) => ({ message: messageOf(row), isSeen: row.seen_at !== null }));
  }

  async sizeOf(executionId: string): Promise<{ readonly count: number; readonly characters: number }> {
    const [row] = await this.query<{ n: number | string; size: number | string | null }>(
      'SELECT count(*) AS n, sum(length(payload)) AS size FROM execution_messages WHERE execution_id = ?',
      [executionId],
    );
    return { count: Number(row?.n ?? 0), characters: Number(row?.size ?? 0) };
  }

  async hasUnseen(executionId: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 AS found FROM execution_messages WHERE execution_id = ? AND seen_at IS NULL LIMIT 1',
      [executionId],
    );
    return rows.length > 0;
  }

  /** Returns the ids of the executions that have unread messages and whose lease belongs to the process `owner`. */
  async unseenHeldBy(owner: string): Promise<readonly string[]> {
    const rows = await this.query<{ execution_id: string }>(
      `SELECT DISTINCT m.execution_id FROM execution_messages m JOIN executions e ON e.id = m.execution_id
        WHERE m.seen_at IS NULL AND e.lease_owner = ?`,
      [owner],
    );
    return rows.map(({ execution_id }) => execution_id);
  }

  async cancelledAmong(executionIds: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (let from = 0; from < executionIds.length; from += IDS_AT_ONCE) {
      const page = executionIds.slice(from, from + IDS_AT_ONCE);
      const rows = await this.query<{ id: string }>(
        `SELECT id FROM executions WHERE id IN (${marksOf(page)}) AND status = 'cancelled'`,
        page,
      );
      found.push(...rows.map(({ id }) => id));
    }
    return found;
  }

  /** Returns executions that have unread messages and are not runnable, including executions that have ended. */
  async unread(
    now: string,
    limit: number,
  ): Promise<readonly { readonly executionId: string; readonly hasEnded: boolean }[]> {
    const rows = await this.query<{ execution_id: string; ended: number | boolean }>(
      `SELECT DISTINCT m.execution_id, e.id IS NULL OR e.status IN ${ENDED} AS ended
        FROM execution_messages m LEFT JOIN executions e ON e.id = m.execution_id
        WHERE m.seen_at IS NULL AND (e.lease_owner IS NOT NULL OR e.runnable_at IS NULL OR e.runnable_at > ?)
          AND (e.admission IS NULL OR e.admission <> 'parked')
        LIMIT ${limit}`,
      [now],
    );
    return rows.map(({ execution_id, ended }) => ({ executionId: execution_id, hasEnded: Boolean(ended) }));
  }

  /**
   * Makes an execution runnable unless a process holds its lease. An execution that waits for admission does not become
   * runnable.
   */
  makeRunnable(executionId: string, now: string): Statement {
    return markedStatement(
      this.dialect,
      `UPDATE executions SET runnable_at = ? WHERE id = ? AND lease_owner IS NULL AND status NOT IN ${ENDED}
        AND (runnable_at IS NULL OR runnable_at > ?) AND (admission IS NULL OR admission <> 'parked')`,
      [now, executionId, now],
    );
  }

  empty(executionId: string): Statement {
    return markedStatement(this.dialect, 'DELETE FROM execution_messages WHERE execution_id = ?', [
      executionId,
    ]);
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}
