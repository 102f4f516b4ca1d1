import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { FINAL_STATUSES, type Json, type JournalEvent } from '../engine/index.js';
import { INLINE_LIMIT, Journal, JournalRepository } from '../journal/index.js';
import {
  DIALECT,
  type Dialect,
  insertShape,
  type SqlValue,
  updateShape,
  type Write,
  Writer,
} from '../platform/index.js';
import {
  type Execution,
  type ExecutionProgress,
  type HANDED_OVER,
  HOLDER_LOST,
  progressAfter,
  scopeOf,
} from './execution.js';
import { ExecutionEntity } from './execution.entity.js';
import { ExecutionChangedError, LeaseLostError } from './executions.errors.js';

const PROGRESS_COLUMNS = {
  status: 'text',
  status_reason: 'text',
  output: 'text',
  error: 'json',
  nodes_completed: 'integer',
  nodes_total: 'integer',
  started_at: 'timestamptz',
  finished_at: 'timestamptz',
  timeout_at: 'timestamptz',
  last_sequence: 'integer',
  runnable_at: 'timestamptz',
  lease_owner: 'uuid',
  lease_epoch: 'integer',
} as const;

const INSERT = insertShape('executions', {
  id: 'uuid',
  project_id: 'uuid',
  workflow_id: 'uuid',
  workflow_version: 'integer',
  session_id: 'uuid',
  trigger_type: 'text',
  trigger_id: 'text',
  input: 'text',
  metadata: 'json',
  priority: 'integer',
  attempt: 'integer',
  retry_of: 'uuid',
  parent_id: 'uuid',
  created_at: 'timestamptz',
  ...PROGRESS_COLUMNS,
});

const NOT_ENDED = `status NOT IN (${FINAL_STATUSES.map((status) => `'${status}'`).join(', ')})`;

/** The fence of a run: its own epoch, the sequence it knows, and no final status. */
const ADVANCE = updateShape(
  'executions',
  PROGRESS_COLUMNS,
  { id: 'uuid', last_sequence: 'integer', lease_epoch: 'integer' },
  NOT_ENDED,
);

/** SQL of executions. What a run or a request decided comes here as events; the row follows from them. */
@Injectable()
export class ExecutionRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly journal: Journal,
    private readonly journalRepository: JournalRepository,
    private readonly writer: Writer,
  ) {}

  /**
   * Writes a new execution and its first events in one commit.
   * @param also further writes of the same commit, such as the claim of an idempotency key
   */
  insert(execution: Execution, events: readonly JournalEvent[], also: readonly Write[]): Promise<void> {
    const { progress, lease, trigger } = execution;
    const row: Write = {
      shape: INSERT,
      row: [
        execution.id,
        execution.projectId,
        execution.workflowId,
        execution.workflowVersion,
        execution.sessionId,
        trigger.type,
        trigger.id,
        inline(execution.input),
        JSON.stringify(execution.metadata),
        execution.priority,
        execution.attempt,
        execution.retryOf,
        execution.parentId,
        execution.createdAt,
        ...progressRow(progress, lease.owner, lease.epoch),
      ],
    };
    return this.journal.append({ scope: scopeOf(execution), after: 0, events, readModel: [...also, row] });
  }

  /**
   * Appends what a run decided. Resolves, once durable, to the execution as it then is.
   * @param release hands the lease back in the same commit
   * @throws LeaseLostError when the run no longer holds it.
   */
  async advance(execution: Execution, events: readonly JournalEvent[], release: boolean): Promise<Execution> {
    const progress = progressAfter(execution.progress, events);
    const owner = release ? null : execution.lease.owner;
    await this.append(
      execution,
      events,
      progress,
      owner,
      execution.lease.epoch,
      () => new LeaseLostError(execution.id),
    );
    return { ...execution, progress, lease: { owner, epoch: execution.lease.epoch } };
  }

  /**
   * Appends what a request decided, whoever runs the execution: the epoch grows, so its present holder is
   * refused from now on.
   * @throws ExecutionChangedError when something else was appended since it was read.
   */
  async overrule(execution: Execution, events: readonly JournalEvent[]): Promise<Execution> {
    const progress = progressAfter(execution.progress, events);
    const epoch = execution.lease.epoch + 1;
    await this.append(execution, events, progress, null, epoch, () => new ExecutionChangedError());
    return { ...execution, progress, lease: { owner: null, epoch } };
  }

  private append(
    execution: Execution,
    events: readonly JournalEvent[],
    progress: ExecutionProgress,
    owner: string | null,
    epoch: number,
    orFail: () => Error,
  ): Promise<void> {
    const { id, progress: before, lease } = execution;
    const row = [...progressRow(progress, owner, epoch), id, before.lastSequence, lease.epoch];
    return this.journal.append({
      scope: scopeOf(execution),
      after: before.lastSequence,
      events,
      readModel: [{ shape: ADVANCE, row, orFail }],
    });
  }

  /**
   * Gives a lease back without an event: what ran here is to be run again, from `runnableAt` on.
   * @param reason `handed_over` where a process ended in order: that does not count as a crash
   */
  async handBack(
    execution: Pick<Execution, 'id' | 'lease'>,
    runnableAt: string,
    reason: typeof HANDED_OVER | 'service_fault',
  ): Promise<void> {
    const statement = this.sql(
      `UPDATE executions SET lease_owner = NULL, runnable_at = ?, status_reason = ? WHERE id = ? AND lease_epoch = ? AND ${NOT_ENDED}`,
      [runnableAt, reason, execution.id, execution.lease.epoch],
    );
    await this.writer.commit({ key: execution.id, writes: [statement] });
  }

  /**
   * Takes the lease of runnable executions, the most urgent first.
   * @returns those that this owner now holds
   */
  async claim(owner: string, now: string, limit: number): Promise<readonly Execution[]> {
    const candidates = await this.query<{ id: string }>(
      `${runnable('id', 'runnable_at <= ?', limit)} LIMIT ${limit}`,
      byPriority(now),
    );
    if (candidates.length === 0) return [];
    const ids = candidates.map(({ id }) => id);
    const marks = ids.map(() => '?').join(', ');
    const take = this.sql(
      `UPDATE executions SET lease_owner = ?, lease_epoch = lease_epoch + 1, runnable_at = NULL WHERE id IN (${marks}) AND runnable_at <= ?`,
      [owner, ...ids, now],
    );
    await this.writer.commit({ writes: [take] });
    const taken = await this.dataSource
      .createQueryBuilder(ExecutionEntity, 'e')
      .where('e.id IN (:...ids)', { ids })
      .andWhere('e.leaseOwner = :owner', { owner })
      .getMany();
    const order = new Map(ids.map((id, index) => [id, index]));
    return taken.map(toExecution).sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  }

  /** The instant at which the next execution becomes runnable; null while none ever will by itself. */
  async nextRunnableAt(): Promise<string | null> {
    const rows = await this.query<{ runnable_at: string | Date }>(
      runnable('runnable_at', 'runnable_at IS NOT NULL', 1),
      [],
    );
    const times = rows.map(({ runnable_at }) => new Date(runnable_at).toISOString());
    return times.sort()[0] ?? null;
  }

  /**
   * Frees what is held by processes that are no longer among the instances. That they were lost is noted: it
   * counts against what they ran, even where nothing of it was written.
   * @returns how many executions that were
   */
  async releaseOrphans(now: string): Promise<number> {
    const orphaned = `lease_owner IS NOT NULL AND lease_owner NOT IN (SELECT id FROM instances)`;
    const [held] = await this.query<{ n: number | string }>(
      `SELECT count(*) AS n FROM executions WHERE ${orphaned}`,
      [],
    );
    const count = Number(held?.n ?? 0);
    if (count === 0) return 0;
    await this.writer.commit({
      writes: [
        this.sql(
          `UPDATE executions SET lease_owner = NULL, runnable_at = ?, status_reason = ? WHERE ${orphaned} AND ${NOT_ENDED}`,
          [now, HOLDER_LOST],
        ),
      ],
    });
    return count;
  }

  /** The leases of an owner, as the database has them. */
  async leasesOf(owner: string): Promise<readonly Pick<Execution, 'id' | 'lease'>[]> {
    const rows = await this.query<{ id: string; lease_epoch: number }>(
      'SELECT id, lease_epoch FROM executions WHERE lease_owner = ?',
      [owner],
    );
    return rows.map(({ id, lease_epoch: epoch }) => ({ id, lease: { owner, epoch } }));
  }

  async find(id: string): Promise<Execution | undefined> {
    const entity = await this.dataSource
      .createQueryBuilder(ExecutionEntity, 'e')
      .where('e.id = :id', { id })
      .getOne();
    return entity === null ? undefined : toExecution(entity);
  }

  /** With the input and the output, however long they are. */
  async findWhole(id: string): Promise<Execution | undefined> {
    const entity = await this.dataSource
      .createQueryBuilder(ExecutionEntity, 'e')
      .where('e.id = :id', { id })
      .getOne();
    if (entity === null) return undefined;
    const execution = toExecution(entity);
    const input = entity.input ?? (await this.journalRepository.payload(id, 1, 'input'));
    const output = entity.output ?? (await this.journalRepository.payload(id, entity.lastSequence, 'output'));
    return {
      ...execution,
      input: parse(input),
      progress: { ...execution.progress, output: parse(output) },
    };
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    const statement = this.sql(sql, parameters);
    return this.dataSource.query<readonly Row[]>(statement.sql, [...parameters]);
  }

  private sql(
    text: string,
    parameters: readonly unknown[],
  ): { readonly sql: string; readonly parameters: readonly unknown[] } {
    let index = 0;
    return {
      sql: this.dialect === 'postgres' ? text.replaceAll('?', () => `$${++index}`) : text,
      parameters,
    };
  }
}

const PRIORITIES = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] as const;

/** One index range a priority: sleeping executions of a priority are never read on the way to the next. */
function runnable(column: string, condition: string, limit: number): string {
  const parts = PRIORITIES.map(
    (priority) =>
      `SELECT * FROM (SELECT ${column} FROM executions WHERE priority = ${priority} AND ${condition} ORDER BY runnable_at LIMIT ${limit}) AS p${priority}`,
  );
  return parts.join(' UNION ALL ');
}

function byPriority(now: string): readonly string[] {
  return PRIORITIES.map(() => now);
}

function progressRow(progress: ExecutionProgress, owner: string | null, epoch: number): readonly SqlValue[] {
  return [
    progress.status,
    progress.statusReason,
    progress.status === 'completed' ? inline(progress.output) : null,
    progress.error === null ? null : JSON.stringify(progress.error),
    progress.nodesCompleted,
    progress.nodesTotal,
    progress.startedAt,
    progress.finishedAt,
    progress.timeoutAt,
    progress.lastSequence,
    progress.runnableAt,
    owner,
    epoch,
  ];
}

/** JSON text, or null where it is too long for a row: then the journal keeps it as a payload. */
function inline(value: Json): string | null {
  const text = JSON.stringify(value);
  return text.length > INLINE_LIMIT ? null : text;
}

function parse(text: string | null | undefined): Json {
  return text === null || text === undefined ? null : (JSON.parse(text) as Json);
}

export function toExecution(entity: ExecutionEntity): Execution {
  return {
    id: entity.id,
    projectId: entity.projectId,
    workflowId: entity.workflowId,
    workflowVersion: entity.workflowVersion,
    sessionId: entity.sessionId,
    trigger: { type: entity.triggerType, id: entity.triggerId },
    input: parse(entity.input),
    metadata: entity.metadata,
    priority: entity.priority,
    attempt: entity.attempt,
    retryOf: entity.retryOf,
    parentId: entity.parentId,
    createdAt: entity.createdAt,
    progress: {
      status: entity.status,
      statusReason: entity.statusReason,
      output: parse(entity.output),
      error: entity.error,
      nodesCompleted: entity.nodesCompleted,
      nodesTotal: entity.nodesTotal,
      startedAt: entity.startedAt,
      finishedAt: entity.finishedAt,
      timeoutAt: entity.timeoutAt,
      lastSequence: entity.lastSequence,
      runnableAt: entity.runnableAt,
    },
    lease: { owner: entity.leaseOwner, epoch: entity.leaseEpoch },
  };
}
