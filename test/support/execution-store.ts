import type { DataSource } from 'typeorm';
import type { EventDataByType, JournalEvent } from '../../src/execution-events/index.js';
import type { RecordedValue } from '../../src/long-values/index.js';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { type Execution, NOT_STARTED } from '../../src/execution-store/execution.js';
import { ClaimsRepository } from '../../src/execution-runner/dispatch/claims.repository.js';
import { ExecutionRepository } from '../../src/execution-store/execution.repository.js';
import { EventBus, Journal, JournalRepository, PayloadRepository } from '../../src/journal/index.js';
import type { DatabaseSettings } from '../../src/settings/index.js';
import { newId } from '../../src/platform/index.js';
import { dataSourceOptions, openDataSource } from '../../src/database/index.js';
import { type SlowQueryRunner, type Writer } from '../../src/storage/index.js';
import { slowQueryRunnerOf, writerOf } from '../../src/storage/storage.module.js';
import { ENTITIES, MIGRATIONS } from '../../src/schema.js';

/** The journal and the execution store of one process, without the other modules of the service. */
export class ExecutionStore {
  readonly bus = new EventBus();
  readonly writer: Writer;
  readonly slowQueries: SlowQueryRunner;
  readonly journal: Journal;
  readonly journalRepository: JournalRepository;
  readonly payloads: PayloadRepository;
  readonly executions: ExecutionRepository;
  readonly claims: ClaimsRepository;

  private constructor(
    readonly dataSource: DataSource,
    dialect: DatabaseSettings['dialect'],
  ) {
    this.writer = writerOf(dataSource);
    this.slowQueries = slowQueryRunnerOf(dataSource);
    this.payloads = new PayloadRepository(dataSource, dialect);
    this.journalRepository = new JournalRepository(dataSource, dialect, this.slowQueries);
    this.journal = new Journal(this.writer, this.payloads, this.bus);
    this.executions = new ExecutionRepository(dataSource, dialect, this.journal, this.payloads, this.writer);
    this.claims = new ClaimsRepository(dataSource, dialect, this.writer);
  }

  /** Opens the execution store, and migrates the database if it is empty. */
  static async open(settings: DatabaseSettings): Promise<ExecutionStore> {
    const dataSource = await openDataSource(dataSourceOptions(settings, ENTITIES, MIGRATIONS), true);
    return new ExecutionStore(dataSource, settings.dialect);
  }

  /** Stores a new execution whose lease no process holds. */
  async insert(
    wanted: Partial<
      Pick<Execution, 'id' | 'createdAt' | 'priority' | 'input' | 'projectId' | 'workflowId'>
    > & {
      readonly runnableAt?: string;
    } = {},
  ): Promise<Execution> {
    const { runnableAt = new Date().toISOString(), ...own } = wanted;
    const execution = newExecution({ progress: { ...NOT_STARTED, runnableAt }, ...own });
    await this.executions.insert(execution, [queued(execution.input)], []);
    return execution;
  }

  async close(): Promise<void> {
    await this.slowQueries.close();
    await this.writer.close();
    await this.dataSource.destroy();
  }
}

/** Returns an execution that has not started and whose lease no process holds. */
export function newExecution(own: Partial<Execution>): Execution {
  return {
    id: newId(),
    projectId: newId(),
    workflowId: newId(),
    workflowVersion: 1,
    sessionId: null,
    trigger: { type: 'api', id: null },
    input: null,
    metadata: {},
    priority: 5,
    attempt: 1,
    retryOf: null,
    parentId: null,
    rootId: null,
    depth: 0,
    scheduledFor: null,
    deduplicationKey: null,
    trace: null,
    admission: null,
    createdAt: new Date().toISOString(),
    progress: NOT_STARTED,
    lease: { owner: null, epoch: 0 },
    ...own,
  };
}

export function queued(input: RecordedValue, metadata: JsonObject = {}): JournalEvent {
  return {
    type: 'workflow.queued',
    at: Date.now(),
    nodeId: null,
    attempt: null,
    data: {
      status: 'queued',
      workflow_version: 1,
      input,
      trigger: { type: 'api', id: null },
      attempt: 1,
      metadata,
    },
  };
}

export function started(): JournalEvent {
  const data: EventDataByType['workflow.started'] = {
    status: 'running',
    workflow_version: 1,
    timeout_at: new Date(Date.now() + 60_000).toISOString(),
    progress: { completed: 0, total: 1 },
  };
  return { type: 'workflow.started', at: Date.now(), nodeId: null, attempt: null, data };
}

export function completed(output: Json): JournalEvent {
  const data = { status: 'completed', output, duration_ms: 1, progress: { completed: 1, total: 1 } } as const;
  return { type: 'workflow.completed', at: Date.now(), nodeId: null, attempt: null, data };
}

export function cancelled(): JournalEvent {
  const data = {
    status: 'cancelled',
    reason: null,
    duration_ms: 1,
    progress: { completed: 0, total: 1 },
  } as const;
  return { type: 'workflow.cancelled', at: Date.now(), nodeId: null, attempt: null, data };
}

export function failed(message: string): JournalEvent {
  const data: EventDataByType['workflow.failed'] = {
    status: 'failed',
    error: { type: 'node_failed', message, node_id: 'charge' },
    duration_ms: 1,
    progress: { completed: 0, total: 1 },
  };
  return { type: 'workflow.failed', at: Date.now(), nodeId: null, attempt: null, data };
}

export function nodeComplete(nodeId: string, output: Json): JournalEvent {
  return {
    type: 'workflow.node.complete',
    at: Date.now(),
    nodeId,
    attempt: 1,
    data: {
      node_id: nodeId,
      node_type: 'set',
      status: 'completed',
      output,
      duration_ms: 1,
      cached: false,
      progress: { completed: 1, total: 1 },
    },
  };
}
