import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { ExecutionStatus } from '../../execution-events/index.js';
import { conditionsOf, type ExecutionFilter } from '../../execution-store/index.js';
import { DIALECT, type Dialect, SlowQueryRunner } from '../../storage/index.js';
import { MAX_SHAPED } from './message-shape.js';

/** Filter for the failed executions that a response groups. */
export type FailureFilter = Pick<ExecutionFilter, 'projectIds' | 'workflowId' | 'createdAfter'>;

export interface FailedRow {
  readonly id: string;
  readonly workflowId: string;
  readonly status: ExecutionStatus;
  readonly errorType: string | null;
  readonly nodeId: string | null;
  /** First `MAX_SHAPED` characters of the error message. Null if the execution has no error message. */
  readonly message: string | null;
  /** ISO 8601 time at which the execution ended. */
  readonly finishedAt: string;
}

interface SelectedRow {
  readonly id: string;
  readonly workflow_id: string;
  readonly status: ExecutionStatus;
  readonly error_type: string | null;
  readonly node_id: string | null;
  readonly message: string | null;
  readonly finished_at: string | Date;
}

const COLUMNS = `e.id, e.workflow_id, e.status, e.finished_at, e.error ->> 'type' AS error_type,
  e.error ->> 'node_id' AS node_id, substr(e.error ->> 'message', 1, ${MAX_SHAPED}) AS message`;

@Injectable()
export class FailuresRepository {
  constructor(
    @InjectDataSource() _: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly slowQueries: SlowQueryRunner,
  ) {}

  /**
   * Returns the failed executions that were created last, newest first. For each project and status, the query reads at
   * most `limit` entries from the end of an index range. The time of the query therefore does not depend on the number
   * of executions.
   */
  async newest(
    filter: FailureFilter,
    statuses: readonly ExecutionStatus[],
    limit: number,
  ): Promise<readonly FailedRow[]> {
    const ranges = filter.projectIds.flatMap((projectId) =>
      statuses.map((status) =>
        conditionsOf({ ...filter, projectIds: [projectId], statuses: [status] }, this.dialect),
      ),
    );
    if (ranges.length === 0) return [];
    const ids = ranges.map(
      ({ sql }, index) =>
        `SELECT * FROM (SELECT e.id FROM executions AS e WHERE ${sql} ORDER BY e.id DESC LIMIT ${limit}) AS range${index}`,
    );
    const rows = await this.slowQueries.rows<SelectedRow>(
      `SELECT ${COLUMNS} FROM executions AS e
        WHERE e.id IN (SELECT id FROM (${ids.join(' UNION ALL ')}) AS merged ORDER BY id DESC LIMIT ${limit})
        ORDER BY e.id DESC`,
      ranges.flatMap(({ parameters }) => parameters),
    );
    return rows.map((row) => ({
      id: row.id,
      workflowId: row.workflow_id,
      status: row.status,
      errorType: row.error_type,
      nodeId: row.node_id,
      message: row.message,
      finishedAt: new Date(row.finished_at).toISOString(),
    }));
  }
}
