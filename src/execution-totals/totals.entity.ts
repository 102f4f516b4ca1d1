import { Check, Entity, PrimaryColumn } from 'typeorm';
import type { ExecutionStatus, TriggerType } from '../execution-events/index.js';
import { IdColumn, PositionColumn, TimeColumn } from '../database/index.js';
import type { SpanUnit } from './spans.js';

/** Number and stored bytes of the ended executions up to the watermark. Late rows are not included. */
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

/** The executions of `ExecutionTotalEntity`, by hour of their end and by duration. */
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

/** The executions of `ExecutionTotalEntity`, by day and hour (UTC) of their creation. */
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

  /** Incremented by every change. A change that read an older revision is refused. */
  @PositionColumn()
  revision: number;

  /**
   * Equal to `revision` if the last writer also updates the counts by creation time. A check constraint refuses older
   * versions.
   */
  @PositionColumn({ name: 'spans_revision', default: 0 })
  spansRevision: number;
}

/** A late row: an execution that had not ended when the watermark passed it. */
@Entity('execution_stragglers')
export class ExecutionStragglerEntity {
  @IdColumn({
    name: 'execution_id',
    primary: true,
    primaryKeyConstraintName: 'execution_stragglers_pkey',
  })
  executionId: string;
}
