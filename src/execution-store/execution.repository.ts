import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type ChildEnd, FINAL_STATUSES, isFinal, type JournalEvent } from '../execution-events/index.js';
import { INLINE_LIMIT, LongValue, type LongValuePlace, type RecordedValue } from '../long-values/index.js';
import type { Json } from '../expressions/index.js';
import {
  type Append,
  CHECKPOINT_INTERVAL,
  CheckpointRepository,
  Journal,
  PayloadRepository,
  placeKey,
} from '../journal/index.js';
import {
  checkShape,
  DIALECT,
  type Dialect,
  EntityRows,
  insertShape,
  marked,
  type SqlValue,
  updateShape,
  type Write,
  Writer,
} from '../storage/index.js';
import { newId } from '../platform/index.js';
import {
  type Execution,
  type ExecutionProgress,
  HANDED_OVER,
  type WORKFLOW_UNAVAILABLE,
  HOLDER_LOST,
  type NewExecution,
  progressAfter,
  scopeOf,
} from './execution.js';
import { ExecutionEntity } from './execution.entity.js';
import { insertMessage } from '../inbox/index.js';
import {
  AncestorEndedError,
  ExecutionChangedError,
  KeyHeldError,
  LeaseLostError,
} from './execution.errors.js';
import { leaving } from '../admission/index.js';
import { traceOfText, traceText } from '../trace-context/index.js';

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
  active_time: 'json',
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
  root_id: 'uuid',
  depth: 'integer',
  scheduled_for: 'timestamptz',
  created_at: 'timestamptz',
  deduplication_key: 'text',
  trace_context: 'text',
  admission: 'text',
  ...PROGRESS_COLUMNS,
});

/** Maximum length of an input or output in a response, in characters of JSON text. */
const SHOWN_LIMIT = 1_048_576;

const NOT_ENDED = `status NOT IN (${FINAL_STATUSES.map((status) => `'${status}'`).join(', ')})`;

/**
 * SQL that updates the row of an execution when events are appended under its lease. The commit fails if the lease
 * epoch or last sequence has changed, or if the execution has ended.
 */
const ADVANCE = updateShape(
  'executions',
  PROGRESS_COLUMNS,
  { id: 'uuid', last_sequence: 'integer', lease_epoch: 'integer' },
  NOT_ENDED,
);

/** Condition for the start of a child. The commit fails if an ancestor of the execution has ended. */
const NO_ANCESTOR_ENDED = checkShape(
  'executions',
  { id: 'uuid' },
  `NOT EXISTS (WITH RECURSIVE above(id, parent_id, finished_at) AS (
    SELECT p.id, p.parent_id, p.finished_at FROM executions p WHERE p.id = t.parent_id
    UNION ALL SELECT p.id, p.parent_id, p.finished_at FROM executions p JOIN above ON p.id = above.parent_id
  ) SELECT 1 FROM above WHERE finished_at IS NOT NULL)`,
);

/** Further content for the commit of the events: writes, and new child executions. */
export interface SameCommit {
  readonly writes: readonly Write[];
  readonly children: readonly NewExecution[];
  /** True if the parent of the execution has ended. The parent then gets no message about the end of the execution. */
  readonly isOrphan?: boolean;
}

const EMPTY_COMMIT: SameCommit = { writes: [], children: [] };

/** Reads and writes executions. Each commit of events also updates the execution's row. */
@Injectable()
export class ExecutionRepository {
  private readonly rows: EntityRows<ExecutionEntity>;
  private slotReleased: (execution: Execution) => void = () => undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly journal: Journal,
    private readonly payloads: PayloadRepository,
    private readonly writer: Writer,
  ) {
    this.rows = new EntityRows(dataSource, dialect, ExecutionEntity);
  }

  /**
   * Registers a listener that is called when an admission slot may have become free, and after the commit of a child that
   * waits for a slot.
   */
  onSlotReleased(listener: (execution: Execution) => void): void {
    this.slotReleased = listener;
  }

  /**
   * Writes a new execution and its first events in one commit.
   *
   * @param also further writes of the commit, such as the claim of an idempotency key
   * @param room maximum total size of the events in bytes
   * @returns total size of the events in bytes
   * @throws KeyHeldError if another unfinished execution of the workflow has the deduplication key
   * @throws JournalFullError if the events exceed `room`
   */
  insert(
    execution: Execution,
    events: readonly JournalEvent[],
    also: readonly Write[],
    room = Infinity,
  ): Promise<number> {
    return this.journal.append(this.firstAppend({ execution, events, also }, room));
  }

  private firstAppend({ execution, events, also }: NewExecution, room = Infinity): Append {
    const { progress, lease, trigger } = execution;
    const values = [
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
      execution.rootId,
      execution.depth,
      execution.scheduledFor,
      execution.createdAt,
      execution.deduplicationKey,
      execution.trace === null ? null : traceText(execution.trace),
      execution.admission,
      ...progressRow(progress, lease.owner, lease.epoch),
    ];
    const row = execution.deduplicationKey === null ? { shape: INSERT, row: values } : this.alone(values);
    return { scope: scopeOf(execution), after: 0, events, otherWrites: [...also, row], room };
  }

  /**
   * Appends events of a process that has the lease of the execution.
   *
   * @param release true if the commit also releases the lease
   * @param room maximum total size of the events in bytes
   * @throws LeaseLostError if the process no longer has the lease
   * @throws JournalFullError if the events exceed `room`
   * @throws AncestorEndedError if the commit starts a child although an ancestor of the execution has ended
   */
  async advance(
    execution: Execution,
    events: readonly JournalEvent[],
    release: boolean,
    sameCommit: SameCommit = EMPTY_COMMIT,
    room = Infinity,
  ): Promise<Execution> {
    const progress = progressOf(execution, events);
    const owner = release ? null : execution.lease.owner;
    const added = await this.append(
      execution,
      events,
      progress,
      { owner, epoch: execution.lease.epoch },
      { ...sameCommit, room },
      () => new LeaseLostError(execution.id),
    );
    const bytes = (execution.bytes ?? 0) + added;
    return { ...execution, progress, lease: { owner, epoch: execution.lease.epoch }, bytes };
  }

  /**
   * Appends events of a request, even if another process has the lease. Increments the epoch, so that the other process
   * loses the lease.
   *
   * @throws ExecutionChangedError if the execution changed after the caller read it
   */
  async forceAppend(
    execution: Execution,
    events: readonly JournalEvent[],
    sameCommit: SameCommit = EMPTY_COMMIT,
  ): Promise<Execution> {
    const progress = progressOf(execution, events);
    const epoch = execution.lease.epoch + 1;
    const lease = { owner: null, epoch };
    await this.append(execution, events, progress, lease, sameCommit, () => new ExecutionChangedError());
    return { ...execution, progress, lease };
  }

  private async append(
    execution: Execution,
    events: readonly JournalEvent[],
    progress: ExecutionProgress,
    next: Execution['lease'],
    { writes, children, isOrphan = false, room = Infinity }: SameCommit & { readonly room?: number },
    orFail: () => Error,
  ): Promise<number> {
    const { id, progress: before, lease } = execution;
    const row = [...progressRow(progress, next.owner, next.epoch), id, before.lastSequence, lease.epoch];
    const hasEnded = isFinal(progress.status);
    const isLeaving = execution.admission !== null && hasEnded;
    const mayHaveCheckpoint = hasEnded && progress.lastSequence > CHECKPOINT_INTERVAL;
    const append = {
      scope: scopeOf(execution),
      after: before.lastSequence,
      events,
      room,
      otherWrites: [
        { shape: ADVANCE, row, orFail },
        ...(isLeaving ? [leaving(id)] : []),
        ...(mayHaveCheckpoint ? [CheckpointRepository.removal(this.dialect, id)] : []),
        ...writes,
        ...(children.length > 0 && execution.parentId !== null ? [noAncestorEnded(id)] : []),
        ...(isOrphan ? [] : endMessageToParent(execution, progress)),
      ],
    };
    let added = 0;
    try {
      added = await this.journal.append(
        append,
        children.map((one) => this.firstAppend(one)),
      );
    } finally {
      for (const one of children) one.settled?.();
    }
    if (isLeaving) this.slotReleased(execution);
    // A slot may have become free after the child looked for one.
    for (const one of children) if (one.execution.admission !== null) this.slotReleased(one.execution);
    return added;
  }

  /**
   * Releases the lease of an execution that waits for a timer or a message. Appends no event.
   *
   * @param runnableAt ISO 8601 time from which the execution can be claimed; null if only a message wakes the execution
   * @throws LeaseLostError if the process no longer has the lease
   */
  async release(execution: Execution, runnableAt: string | null, also: readonly Write[]): Promise<Execution> {
    const { id, lease } = execution;
    const statement = {
      ...this.sql(
        `UPDATE executions SET lease_owner = NULL, runnable_at = ? WHERE id = ? AND lease_epoch = ? AND ${NOT_ENDED}`,
        [runnableAt, id, lease.epoch],
      ),
      orFail: () => new LeaseLostError(id),
    };
    await this.writer.commit({ key: id, writes: [statement, ...also] });
    return {
      ...execution,
      progress: { ...execution.progress, runnableAt },
      lease: { owner: null, epoch: lease.epoch },
    };
  }

  /**
   * Returns an insert of one execution as a statement of its own. If the unique index on deduplication keys rejects it,
   * the error is a `KeyHeldError`.
   */
  private alone(row: readonly SqlValue[]): Write {
    const isPostgres = this.dialect === 'postgres';
    return {
      sql: isPostgres ? INSERT.postgres : INSERT.sqlite,
      parameters: isPostgres ? row.map((value) => [value]) : row,
      onDuplicate: () => new KeyHeldError(),
    };
  }

  /**
   * Releases a lease without appending an event.
   *
   * @param runnableAt ISO 8601 time from which the execution can be claimed again
   * @param reason status reason of the execution; `handed_over` means an orderly shutdown, which does not count as a
   * crash
   */
  async handBack(
    execution: Pick<Execution, 'id' | 'lease'>,
    runnableAt: string,
    reason: typeof HANDED_OVER | typeof WORKFLOW_UNAVAILABLE | 'service_fault',
  ): Promise<void> {
    const statement = this.sql(
      `UPDATE executions SET lease_owner = NULL, runnable_at = ?, status_reason = ? WHERE id = ? AND lease_epoch = ? AND ${NOT_ENDED}`,
      [runnableAt, reason, execution.id, execution.lease.epoch],
    );
    await this.writer.commit({ key: execution.id, writes: [statement] });
  }

  /**
   * Releases all leases of a process that shuts down.
   *
   * @param runnableAt ISO 8601 time from which the executions can be claimed again
   * @returns number of released leases
   */
  async handOver(owner: string, runnableAt: string): Promise<number> {
    const left = await this.leasesOf(owner);
    if (left.length === 0) return 0;
    const statement = this.sql(
      `UPDATE executions SET lease_owner = NULL, lease_epoch = lease_epoch + 1, runnable_at = ?, status_reason = ?
       WHERE lease_owner = ? AND ${NOT_ENDED}`,
      [runnableAt, HANDED_OVER, owner],
    );
    await this.writer.commit({ writes: [statement] });
    return left.length;
  }

  /** The commit fails with ExecutionChangedError if the execution has events after the sequence. */
  unchanged(id: string, sequence: number): Write {
    // The update locks the row until the commit.
    const statement = this.sql(
      'UPDATE executions SET last_sequence = last_sequence WHERE id = ? AND last_sequence = ?',
      [id, sequence],
    );
    return { ...statement, orFail: () => new ExecutionChangedError() };
  }

  /**
   * Revokes the lease of an execution without appending an event.
   *
   * @param until ISO 8601 time before which no process can claim the execution
   */
  async revokeLease(id: string, until: string): Promise<void> {
    const statement = this.sql(
      `UPDATE executions SET lease_owner = NULL, lease_epoch = lease_epoch + 1, runnable_at = ?, status_reason = ?
       WHERE id = ? AND lease_owner IS NOT NULL AND ${NOT_ENDED}`,
      [until, HANDED_OVER, id],
    );
    await this.writer.commit({ key: id, writes: [statement] });
  }

  /**
   * Releases the leases of dead processes. Each release counts as a crash of the execution.
   *
   * @param now ISO 8601 time from which the executions can be claimed again
   * @returns number of released leases
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

  async leasesOf(owner: string): Promise<readonly Pick<Execution, 'id' | 'lease'>[]> {
    const rows = await this.query<{ id: string; lease_epoch: number }>(
      'SELECT id, lease_epoch FROM executions WHERE lease_owner = ?',
      [owner],
    );
    return rows.map(({ id, lease_epoch: epoch }) => ({ id, lease: { owner, epoch } }));
  }

  async find(id: string): Promise<Execution | undefined> {
    const [entity] = await this.rows.find('id = ?', [id]);
    return entity === undefined ? undefined : toExecution(entity);
  }

  /**
   * Returns an execution with its input and output. Values that exceed the maximum length for responses are left out.
   */
  async findWhole(id: string): Promise<Execution | undefined> {
    const execution = await this.find(id);
    return execution === undefined ? undefined : this.withValues(execution);
  }

  /**
   * Loads the input and output of an execution if they are stored separately because of their length.
   *
   * @param limit maximum length of a loaded value, in characters of JSON text
   */
  async withValues(execution: Execution, limit = SHOWN_LIMIT): Promise<Execution> {
    const { id, input, progress } = execution;
    if (!(input instanceof LongValue) && !(progress.output instanceof LongValue)) return execution;
    const places = [input, progress.output].flatMap((value) =>
      value instanceof LongValue && value.place !== null ? [value.place] : [],
    );
    const lengths = await this.payloads.lengths(id, places);
    const shown = async (value: RecordedValue): Promise<RecordedValue> => {
      if (!(value instanceof LongValue) || value.place === null) return value;
      const length = lengths.get(placeKey(value.place)) ?? 0;
      if (length > limit) return LongValue.storedAt(value.place, length);
      return parse(await this.payloads.text(id, value.place.sequence, value.place.field));
    };
    return {
      ...execution,
      input: await shown(input),
      progress: { ...progress, output: await shown(progress.output) },
    };
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }

  private sql(
    text: string,
    parameters: readonly unknown[],
  ): { readonly sql: string; readonly parameters: readonly unknown[] } {
    return { sql: marked(this.dialect, text), parameters };
  }
}

/**
 * Returns the progress of an execution after further events. The `runnableAt` of a parked execution is null, because
 * the execution becomes runnable only when it is admitted.
 */
function progressOf({ progress, admission }: Execution, events: readonly JournalEvent[]): ExecutionProgress {
  const next = progressAfter(progress, events);
  return admission === 'parked' ? { ...next, runnableAt: null } : next;
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
    progress.activeTime === null ? null : JSON.stringify(progress.activeTime),
    progress.lastSequence,
    progress.runnableAt,
    owner,
    epoch,
  ];
}

/** Returns the message that informs the parent about the end of its child. Empty if the child has not ended. */
function endMessageToParent({ id, parentId }: Execution, reached: ExecutionProgress): readonly Write[] {
  if (parentId === null || !isFinal(reached.status)) return [];
  const { status, output: value, error, finishedAt } = reached;
  const place: LongValuePlace = { executionId: id, sequence: reached.lastSequence, field: 'output' };
  const size = value instanceof LongValue ? value.size : JSON.stringify(value).length;
  const output = size > INLINE_LIMIT ? LongValue.storedAt(place, size) : value;
  const end = { id, status: status as ChildEnd['status'], output, error };
  return [insertMessage(parentId, { id: newId(), kind: 'child', end }, finishedAt ?? '')];
}

function noAncestorEnded(id: string): Write {
  return { shape: NO_ANCESTOR_ENDED, row: [id], orFail: () => new AncestorEndedError(id) };
}

/**
 * Returns the JSON text of a value for the row. Null if the value is longer than 16,384 characters and therefore only
 * in the journal.
 */
function inline(value: RecordedValue): string | null {
  if (value instanceof LongValue) return null;
  const text = JSON.stringify(value);
  return text.length > INLINE_LIMIT ? null : text;
}

/**
 * Returns the value that the row contains. If the row contains null, returns a reference to the value in the journal.
 */
function stored(text: string | null, sequence: number, field: 'input' | 'output'): RecordedValue {
  return text === null ? LongValue.storedAt({ executionId: null, sequence, field }, 0) : parse(text);
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
    input: stored(entity.input, 1, 'input'),
    metadata: entity.metadata,
    priority: entity.priority,
    attempt: entity.attempt,
    retryOf: entity.retryOf,
    parentId: entity.parentId,
    rootId: entity.rootId,
    depth: entity.depth,
    scheduledFor: entity.scheduledFor,
    deduplicationKey: entity.deduplicationKey,
    trace: entity.traceContext === null ? null : traceOfText(entity.traceContext),
    admission: entity.admission,
    createdAt: entity.createdAt,
    progress: {
      status: entity.status,
      statusReason: entity.statusReason,
      output: entity.status === 'completed' ? stored(entity.output, entity.lastSequence, 'output') : null,
      error: entity.error,
      nodesCompleted: entity.nodesCompleted,
      nodesTotal: entity.nodesTotal,
      startedAt: entity.startedAt,
      finishedAt: entity.finishedAt,
      timeoutAt: entity.timeoutAt,
      activeTime: entity.activeTime,
      lastSequence: entity.lastSequence,
      runnableAt: entity.runnableAt,
    },
    lease: { owner: entity.leaseOwner, epoch: entity.leaseEpoch },
  };
}
