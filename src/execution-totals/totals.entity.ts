import { Check, Entity, PrimaryColumn } from 'typeorm';
import type { ExecutionStatus, TriggerType } from '../execution-events/index.js';
import { IdColumn, PositionColumn, TimeColumn } from '../database/index.js';
import type { SpanUnit } from './spans.js';

/**
 * Number and stored bytes of ended executions up to the watermark. An execution that ended after the
 * watermark had passed its id (a late row) is added by a later update.
 */
@Entity('execution_totals')
export class ExecutionTotalEntity {
  @IdColumn({ name: 'project_id', primary: true, primaryKeyConstraintName: 'execution_totals_pkey' })
  projectId: string;

  @IdColumn({ name: 'workflow_id', primary: true, primaryKeyConstraintName: 'execution_totals_pkey' })
  workflowId: string;

  @PrimaryColumn({
    name: 'trigger_type',
    type: 'varchar',
    primaryKeyConstraintName: 'execution_totals_pkey',
  })
  triggerType: TriggerType;

  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'execution_totals_pkey' })
  status: ExecutionStatus;

  @PositionColumn()
  executions: number;

  @PositionColumn()
  events: number;

  @PositionColumn({ name: 'journal_bytes' })
  journalBytes: number;

  @PositionColumn({ name: 'payload_bytes' })
  payloadBytes: number;
}

/**
 * Number of ended executions by the hour of their end and by duration. Executions that retention deletes stay counted
 * until their hour is deleted.
 */
@Entity('execution_hours')
export class ExecutionHourEntity {
  @IdColumn({ name: 'project_id', primary: true, primaryKeyConstraintName: 'execution_hours_pkey' })
  projectId: string;

  @TimeColumn({ primary: true, primaryKeyConstraintName: 'execution_hours_pkey' })
  hour: string;

  @IdColumn({ name: 'workflow_id', primary: true, primaryKeyConstraintName: 'execution_hours_pkey' })
  workflowId: string;

  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'execution_hours_pkey' })
  status: ExecutionStatus;

  @PrimaryColumn({
    name: 'duration_bucket',
    type: 'integer',
    primaryKeyConstraintName: 'execution_hours_pkey',
  })
  durationBucket: number;

  @PositionColumn()
  executions: number;
}

/** Number of the executions in `execution_totals` by UTC day and hour of their creation. */
@Entity('execution_spans')
export class ExecutionSpanEntity {
  @IdColumn({ name: 'project_id', primary: true, primaryKeyConstraintName: 'execution_spans_pkey' })
  projectId: string;

  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'execution_spans_pkey' })
  unit: SpanUnit;

  @TimeColumn({ primary: true, primaryKeyConstraintName: 'execution_spans_pkey' })
  began: string;

  @IdColumn({ name: 'workflow_id', primary: true, primaryKeyConstraintName: 'execution_spans_pkey' })
  workflowId: string;

  @PrimaryColumn({
    name: 'trigger_type',
    type: 'varchar',
    primaryKeyConstraintName: 'execution_spans_pkey',
  })
  triggerType: TriggerType;

  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'execution_spans_pkey' })
  status: ExecutionStatus;

  @PositionColumn()
  executions: number;
}

@Entity('execution_frontier')
@Check('execution_frontier_spans', '"spans_revision" = "revision"')
export class ExecutionFrontierEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'execution_frontier_pkey' })
  id: number;

  @IdColumn({ name: 'up_to_id' })
  upToId: string;

  /** Revision of the totals. Every update increments it. An update that is based on an older revision is refused. */
  @PositionColumn()
  revision: number;

  /**
   * Must equal `revision`. Old versions of the service do not update the counts by creation time and increment only
   * `revision`. A check constraint therefore refuses their updates.
   */
  @PositionColumn({ name: 'spans_revision', default: 0 })
  spansRevision: number;
}

/** A late row: an execution that had not ended when the watermark of the totals passed its id. */
@Entity('execution_stragglers')
export class ExecutionStragglerEntity {
  @IdColumn({
    name: 'execution_id',
    primary: true,
    primaryKeyConstraintName: 'execution_stragglers_pkey',
  })
  executionId: string;
}
