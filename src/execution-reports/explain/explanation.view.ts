import { ApiProperty } from '@nestjs/swagger';
import { type ExecutionStatus, EXECUTION_STATUSES } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import type { Execution } from '../../execution-store/index.js';
import { type Explanation, EXPLANATION_CAUSES, type ExplanationCause } from './explanation-facts.js';

const ID_EXAMPLE = '0199a8c0-2222-7abc-8def-0123456789ab';
const NODE_STATUSES = ['running', 'retrying', 'waiting', 'ready'] as const;

class HolderView {
  @ApiProperty({ enum: ['execution', 'process'], example: 'execution' })
  type: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  /** Host name of the process. Null if the holder is an execution. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  host: string | null;

  /** Operating system id of the process. Null if the holder is an execution. */
  @ApiProperty({ type: 'integer', nullable: true, example: null })
  pid: number | null;

  /** Time of the last heartbeat of the process. Null if the holder is an execution. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  last_seen_at: string | null;
}

class FreesView {
  @ApiProperty({ type: 'string', example: 'The end of one of these executions, or a higher max_running.' })
  how: string;

  /** Time at which the cause is resolved at the latest. Null if no such time is known. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  at: string | null;
}

class ExplainedNodeView {
  @ApiProperty({ type: 'string', example: 'charge' })
  node_id: string;

  /** Status of the node. `ready` means that the node could run but has not started. */
  @ApiProperty({ enum: NODE_STATUSES, example: 'running' })
  status: string;

  @ApiProperty({ type: 'integer', example: 1 })
  attempt: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  since: string | null;

  /** What the node waits for, such as `retry`, `timer` or `signal`. Null if the node does not wait. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  waiting_for: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  wake_at: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, example: {} })
  details: JsonObject;
}

/** Why an execution does not continue, or what the execution is doing. */
export class ExplanationView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  execution_id: string;

  @ApiProperty({ enum: EXECUTION_STATUSES, example: 'queued' })
  status: ExecutionStatus;

  @ApiProperty({ enum: EXPLANATION_CAUSES, example: 'max_running' })
  cause: ExplanationCause;

  @ApiProperty({
    type: 'string',
    example:
      '2 executions of the workflow have not ended, and the workflow allows 2 at the same time (max_running).',
  })
  message: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  since: string;

  /**
   * The execution for which this execution waits, or the process that runs this execution. Null if there is neither.
   */
  @ApiProperty({ type: () => HolderView, nullable: true })
  holder: HolderView | null;

  @ApiProperty({ type: () => FreesView, nullable: true })
  frees: FreesView | null;

  /** Details of the cause. Each cause has its own fields. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { max_running: 2 } })
  details: JsonObject;

  /** Nodes of the execution that are running, retrying, waiting or ready. */
  @ApiProperty({ type: () => [ExplainedNodeView] })
  nodes: readonly ExplainedNodeView[];
}

export function explanationView(execution: Execution, explained: Explanation): ExplanationView {
  const { cause, message, since, holder, frees, details, nodes } = explained;
  return {
    execution_id: execution.id,
    status: execution.progress.status,
    cause,
    message,
    since,
    holder: holder === null ? null : holderView(holder),
    frees,
    details,
    nodes: nodes.map(({ nodeId, status, attempt, since: from, waitingFor, wakeAt, details: more }) => ({
      node_id: nodeId,
      status,
      attempt,
      since: from,
      waiting_for: waitingFor,
      wake_at: wakeAt,
      details: more,
    })),
  };
}

function holderView(holder: NonNullable<Explanation['holder']>): HolderView {
  const process = holder.type === 'process' ? holder : { host: null, pid: null, lastSeenAt: null };
  return {
    type: holder.type,
    id: holder.id,
    host: process.host,
    pid: process.pid,
    last_seen_at: process.lastSeenAt,
  };
}
