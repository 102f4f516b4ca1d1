import { Column, Entity, Index } from 'typeorm';
import type { ActiveTime } from '../active-time/index.js';
import type { ExecutionError, ExecutionStatus, TriggerType } from '../execution-events/index.js';
import type { JsonObject } from '../expressions/index.js';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { AdmissionStatus } from './execution.js';

/** The row of an execution. Only reads and the schema use this entity, because writes use their own SQL statements. */
@Entity('executions')
@Index('executions_project', ['projectId', 'id'])
@Index('executions_project_status', ['projectId', 'status', 'id'])
@Index('executions_workflow', ['workflowId', 'id'])
@Index('executions_session', ['sessionId', 'id'], { where: 'session_id IS NOT NULL' })
@Index('executions_runnable', ['priority', 'runnableAt'], { where: 'runnable_at IS NOT NULL' })
@Index('executions_children', ['parentId'], { where: 'parent_id IS NOT NULL AND finished_at IS NULL' })
@Index('executions_descendants', ['rootId', 'finishedAt'], { where: 'root_id IS NOT NULL' })
@Index('executions_turns', ['projectId', 'priority', 'runnableAt'], { where: 'runnable_at IS NOT NULL' })
@Index('executions_lease', ['leaseOwner'], { where: 'lease_owner IS NOT NULL' })
@Index('executions_project_key', ['projectId', 'deduplicationKey'], {
  where: 'deduplication_key IS NOT NULL AND finished_at IS NULL',
})
@Index('executions_deduplication', ['workflowId', 'deduplicationKey'], {
  unique: true,
  where: 'deduplication_key IS NOT NULL AND finished_at IS NULL',
})
@Index('executions_retry_of', ['retryOf'], { where: 'retry_of IS NOT NULL' })
export class ExecutionEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  @IdColumn({ name: 'workflow_id' })
  workflowId: string;

  @Column({ name: 'workflow_version', type: 'integer' })
  workflowVersion: number;

  @IdColumn({ name: 'session_id', nullable: true })
  sessionId: string | null;

  @Column({ name: 'trigger_type', type: 'varchar' })
  triggerType: TriggerType;

  @Column({ name: 'trigger_id', type: 'varchar', nullable: true })
  triggerId: string | null;

  /** Input of the execution as JSON text. Null if the input is too long for the row and stored only in the journal. */
  @Column({ type: 'text', nullable: true })
  input: string | null;

  @JsonColumn()
  metadata: JsonObject;

  @Column({ type: 'integer' })
  priority: number;

  @Column({ type: 'integer' })
  attempt: number;

  @IdColumn({ name: 'retry_of', nullable: true })
  retryOf: string | null;

  @IdColumn({ name: 'parent_id', nullable: true })
  parentId: string | null;

  /** Id of the topmost ancestor. Null if the execution has no parent. */
  @IdColumn({ name: 'root_id', nullable: true })
  rootId: string | null;

  @Column({ type: 'integer', default: 0 })
  depth: number;

  @TimeColumn({ name: 'scheduled_for', nullable: true })
  scheduledFor: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @Column({ type: 'varchar' })
  status: ExecutionStatus;

  @Column({ name: 'status_reason', type: 'varchar', nullable: true })
  statusReason: string | null;

  /** Output of the execution as JSON text. Null if there is no output, or if the output is too long for the row. */
  @Column({ type: 'text', nullable: true })
  output: string | null;

  @JsonColumn({ nullable: true })
  error: ExecutionError | null;

  @Column({ name: 'nodes_completed', type: 'integer' })
  nodesCompleted: number;

  @Column({ name: 'nodes_total', type: 'integer' })
  nodesTotal: number;

  @TimeColumn({ name: 'started_at', nullable: true })
  startedAt: string | null;

  @TimeColumn({ name: 'finished_at', nullable: true })
  finishedAt: string | null;

  @TimeColumn({ name: 'timeout_at', nullable: true })
  timeoutAt: string | null;

  /** Used active time and its limit. Null if the execution's timeout counts all elapsed time. */
  @JsonColumn({ name: 'active_time', nullable: true })
  activeTime: ActiveTime | null;

  @Column({ name: 'last_sequence', type: 'integer' })
  lastSequence: number;

  @TimeColumn({ name: 'runnable_at', nullable: true })
  runnableAt: string | null;

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner: string | null;

  @Column({ name: 'lease_epoch', type: 'integer' })
  leaseEpoch: number;

  /**
   * Deduplication key of the execution. A unique index allows a key only once among the unfinished executions of a
   * workflow.
   */
  @Column({ name: 'deduplication_key', type: 'varchar', nullable: true })
  deduplicationKey: string | null;

  /** Trace context of the execution: `traceparent`, a space and `tracestate`. */
  @Column({ name: 'trace_context', type: 'varchar', nullable: true })
  traceContext: string | null;

  /** `parked` while the execution waits for admission, then `admitted`. Null if the execution needs no admission. */
  @Column({ type: 'varchar', nullable: true })
  admission: AdmissionStatus | null;
}
