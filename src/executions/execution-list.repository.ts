import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, SelectQueryBuilder } from 'typeorm';
import { type ExecutionStatus, FINAL_STATUSES, type TriggerType } from '../engine/index.js';
import { DIALECT, type Dialect } from '../platform/index.js';
import type { Execution } from './execution.js';
import { ExecutionEntity } from './execution.entity.js';
import { toExecution } from './execution.repository.js';

/** What a list of executions is narrowed by. Times are ISO 8601 in UTC. */
export interface ExecutionFilter {
  readonly projectIds: readonly string[];
  readonly statuses?: readonly ExecutionStatus[];
  readonly workflowId?: string;
  readonly sessionId?: string;
  readonly trigger?: TriggerType;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** Top-level metadata that must be equal, as text. */
  readonly metadata?: ReadonlyMap<string, string>;
}

/** What executions belong to. */
export type ExecutionOwner = { readonly workflowId: string } | { readonly sessionId: string };

/** A page in the order of creation. */
export interface ExecutionPage {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  /** Id of the last execution of the page before. */
  readonly after?: string;
}

/** Lists of executions. Ids are UUID v7, so their order is that of creation and one index serves both. */
@Injectable()
export class ExecutionListRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  async list(
    filter: ExecutionFilter,
    page: ExecutionPage,
  ): Promise<{ readonly items: readonly Execution[]; readonly total: number }> {
    if (filter.projectIds.length === 0) return { items: [], total: 0 };
    const query = this.filtered(filter);
    const total = await query.getCount();
    if (page.after !== undefined)
      query.andWhere(`e.id ${page.order === 'asc' ? '>' : '<'} :after`, { after: page.after });
    const entities = await query
      .orderBy('e.id', page.order === 'asc' ? 'ASC' : 'DESC')
      .limit(page.limit)
      .offset(page.after === undefined ? page.offset : 0)
      .getMany();
    return { items: entities.map(toExecution), total };
  }

  /** The latest execution of each workflow that has one. */
  async latest(workflowIds: readonly string[]): Promise<readonly Execution[]> {
    const found = await Promise.all(
      workflowIds.map((workflowId) =>
        this.dataSource
          .createQueryBuilder(ExecutionEntity, 'e')
          .where('e.workflowId = :workflowId', { workflowId })
          .orderBy('e.id', 'DESC')
          .limit(1)
          .getOne(),
      ),
    );
    return found.flatMap((entity) => (entity === null ? [] : [toExecution(entity)]));
  }

  async countUnfinished(owner: ExecutionOwner): Promise<number> {
    return this.unfinished(owner).getCount();
  }

  async listUnfinished(owner: ExecutionOwner, limit: number): Promise<readonly Execution[]> {
    return (await this.unfinished(owner).limit(limit).getMany()).map(toExecution);
  }

  /** How many executions of each session have each status. */
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
      .where('workflowId' in owner ? 'e.workflowId = :workflowId' : 'e.sessionId = :sessionId', owner)
      .andWhere('e.status NOT IN (:...final)', { final: FINAL_STATUSES });
  }

  private filtered(filter: ExecutionFilter): SelectQueryBuilder<ExecutionEntity> {
    const query = this.dataSource
      .createQueryBuilder(ExecutionEntity, 'e')
      .where('e.projectId IN (:...projectIds)', { projectIds: filter.projectIds });
    const equal = { workflowId: filter.workflowId, sessionId: filter.sessionId, triggerType: filter.trigger };
    for (const [property, value] of Object.entries(equal))
      if (value !== undefined) query.andWhere(`e.${property} = :${property}`, { [property]: value });
    if (filter.statuses !== undefined)
      query.andWhere('e.status IN (:...statuses)', { statuses: filter.statuses });
    if (filter.createdAfter !== undefined)
      query.andWhere('e.createdAt > :after', { after: filter.createdAfter });
    if (filter.createdBefore !== undefined)
      query.andWhere('e.createdAt < :before', { before: filter.createdBefore });
    let index = 0;
    for (const [key, value] of filter.metadata ?? []) {
      const [k, v] = [`metadataKey${index}`, `metadataValue${index}`];
      index += 1;
      if (this.dialect === 'postgres')
        query.andWhere(`e.metadata ->> :${k} = :${v}`, { [k]: key, [v]: value });
      // Not `->>`: it would read a key that begins with `$` as a path. Values are compared as text on both databases.
      else
        query.andWhere(
          `EXISTS (SELECT 1 FROM json_each(e.metadata) AS m WHERE m.key = :${k} AND ${METADATA_TEXT} = :${v})`,
          { [k]: key, [v]: value },
        );
    }
    return query;
  }
}

/** A value as PostgreSQL's `->>` gives it: texts without quotes, null as nothing, the rest as it is written. */
const METADATA_TEXT =
  "CASE m.type WHEN 'text' THEN m.value WHEN 'null' THEN NULL ELSE e.metadata -> m.fullkey END";
