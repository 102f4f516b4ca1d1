import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, SelectQueryBuilder } from 'typeorm';
import { type ExecutionStatus, FINAL_STATUSES } from '../execution-events/index.js';
import { DIALECT, type Dialect, EntityRows, SlowQueryRunner } from '../storage/index.js';
import type { Execution } from './execution.js';
import { ExecutionEntity } from './execution.entity.js';
import { toExecution } from './execution.repository.js';

export type ExecutionOwner =
  { readonly workflowId: string } | { readonly sessionId: string } | { readonly projectId: string };

@Injectable()
export class ExecutionLookupRepository {
  private readonly rows: EntityRows<ExecutionEntity>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) dialect: Dialect,
    private readonly slowQueries: SlowQueryRunner,
  ) {
    this.rows = new EntityRows(dataSource, dialect, ExecutionEntity);
  }

  async latest(workflowIds: readonly string[]): Promise<readonly Execution[]> {
    const found = await Promise.all(
      workflowIds.map((id) => this.executions('workflow_id IN (?) ORDER BY id DESC LIMIT 1', [id])),
    );
    return found.flat();
  }

  /** Returns the unfinished execution of a workflow that has a deduplication key. */
  async findByKey(workflowId: string, deduplicationKey: string): Promise<Execution | undefined> {
    const [holder] = await this.executions(
      'workflow_id = ? AND deduplication_key = ? AND finished_at IS NULL',
      [workflowId, deduplicationKey],
    );
    return holder;
  }

  unfinishedByKeyPrefix(workflowId: string, prefix: string, limit: number): Promise<readonly Execution[]> {
    return this.executions(
      `workflow_id = ? AND deduplication_key LIKE ? AND finished_at IS NULL ORDER BY id LIMIT ${limit}`,
      [workflowId, `${prefix}%`],
    );
  }

  unfinishedByKey(projectId: string, deduplicationKey: string, limit: number): Promise<readonly Execution[]> {
    return this.executions(
      `project_id = ? AND deduplication_key = ? AND finished_at IS NULL LIMIT ${limit}`,
      [projectId, deduplicationKey],
    );
  }

  async countUnfinished(owner: ExecutionOwner): Promise<number> {
    return this.unfinished(owner).getCount();
  }

  /**
   * Returns ids of unfinished executions of a workflow, session or project, oldest first.
   *
   * @param after id after which the list starts; empty for the start of the list
   */
  async unfinishedIds(
    kind: 'workflow' | 'session' | 'project',
    ownerId: string,
    after: string,
    limit: number,
  ): Promise<readonly string[]> {
    const behind = after === '' ? '' : 'AND id > ?';
    // The query uses the runner for slow queries, because it may also scan many ended executions.
    const rows = await this.slowQueries.rows<{ id: string }>(
      `SELECT id FROM executions WHERE ${kind}_id = ? ${behind}
        AND status IN ('queued', 'running', 'waiting', 'paused') ORDER BY id LIMIT ${limit}`,
      after === '' ? [ownerId] : [ownerId, after],
    );
    return rows.map(({ id }) => id);
  }

  async countByStatus(
    sessionIds: readonly string[],
  ): Promise<
    readonly { readonly sessionId: string; readonly status: ExecutionStatus; readonly count: number }[]
  > {
    if (sessionIds.length === 0) return [];
    const rows = await this.dataSource
      .createQueryBuilder(ExecutionEntity, 'e')
      .select('e.sessionId', 'sessionId')
      .addSelect('e.status', 'status')
      .addSelect('COUNT(*)', 'count')
      .where('e.sessionId IN (:...sessionIds)', { sessionIds })
      .groupBy('e.sessionId')
      .addGroupBy('e.status')
      .getRawMany<{ sessionId: string; status: ExecutionStatus; count: number | string }>();
    return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
  }

  private unfinished(owner: ExecutionOwner): SelectQueryBuilder<ExecutionEntity> {
    return this.dataSource
      .createQueryBuilder(ExecutionEntity, 'e')
      .where(owner)
      .andWhere('e.status NOT IN (:...final)', { final: FINAL_STATUSES });
  }

  private async executions(where: string, parameters: readonly unknown[]): Promise<readonly Execution[]> {
    return (await this.rows.find(where, parameters)).map(toExecution);
  }
}
