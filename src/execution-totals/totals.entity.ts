import { Check, Entity, PrimaryColumn } from 'typeorm';
import type { ExecutionStatus, TriggerType } from '../execution-events/index.js';
import { IdColumn, PositionColumn, TimeColumn } from '../database/index.js';
import type { SpanUnit } from './spans.js';

/** Ended executions up to the frontier, those among the stragglers aside, and what their records take. */
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

/** The same executions by the hour in which they ended, and by how long they took. */
@Entity('execution_hours')
export class ExecutionHourEntity {
  @IdColumn({ name: 'project_id', primary: true, primaryKeyConstraintName: 'execution_hours_pkey' })
  projectId: string;

  /** The hour's beginning. */
  @TimeColumn({ primary: true, primaryKeyConstraintName: 'execution_hours_pkey' })
  hour: string;

  @IdColumn({ name: 'workflow_id', primary: true, primaryKeyConstraintName: 'execution_hours_pkey' })
  workflowId: string;

  @PrimaryColumn({ type: 'varchar', primaryKeyConstraintName: 'execution_hours_pkey' })
  status: ExecutionStatus;

  /** `durationBucket`. */
  @PrimaryColumn({
    name: 'duration_bucket',
    type: 'integer',
    primaryKeyConstraintName: 'execution_hours_pkey',
  })
  durationBucket: number;

  @PositionColumn()
  executions: number;
}

/** The same executions by the day and by the hour, in UTC, in which they were created. */
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

/** Up to where the totals reach: one row. */
@Entity('execution_frontier')
@Check('execution_frontier_spans', '"spans_revision" = "revision"')
export class ExecutionFrontierEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'execution_frontier_pkey' })
  id: number;

  /** The last execution that is counted. */
  @IdColumn({ name: 'up_to_id' })
  upToId: string;

  /** Counted up with every change of the totals: who decided on an older one is refused. */
  @PositionColumn()
  revision: number;

  /** The same, of processes that keep spans: one that does not leaves it out, and is refused. */
  @PositionColumn({ name: 'spans_revision', default: 0 })
  spansRevision: number;
}

/** An execution before the frontier that had not ended when it passed. */
@Entity('execution_stragglers')
export class ExecutionStragglerEntity {
  @IdColumn({
    name: 'execution_id',
    primary: true,
    primaryKeyConstraintName: 'execution_stragglers_pkey',
  })
  executionId: string;
}
