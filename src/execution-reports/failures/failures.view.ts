import { ApiProperty } from '@nestjs/swagger';
import { OptionalChoice, OptionalId } from '../../fields/index.js';
import { isoTime } from '../../platform/index.js';
import { FAILURE_WINDOWS, type Failures, type FailureWindow } from './failures.service.js';

const WINDOWS = Object.keys(FAILURE_WINDOWS) as readonly FailureWindow[];

export class FailuresQuery {
  /** Length of the window, which ends now. Only executions that were created in this window are grouped. */
  @OptionalChoice({ enum: WINDOWS, default: '24h' })
  window: FailureWindow = '24h';

  @OptionalId()
  project_id?: string;

  @OptionalId()
  workflow_id?: string;
}

class FailureGroupView {
  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-1111-7abc-8def-0123456789ab' })
  workflow_id: string;

  /** Id of the failed node. Null if no node failed, for example if the execution timed out. */
  @ApiProperty({ type: 'string', nullable: true, example: 'charge' })
  node_id: string | null;

  @ApiProperty({ type: 'string', example: 'http_status_error' })
  error_type: string;

  /** The error message with placeholders instead of quoted parts, URLs, ids and numbers. */
  @ApiProperty({ type: 'string', example: 'The server answered <number>.' })
  shape: string;

  /** Error message of the latest failure in the group, at most 500 characters. */
  @ApiProperty({ type: 'string', example: 'The server answered 503.' })
  message: string;

  @ApiProperty({ type: 'integer', example: 41 })
  count: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  first_seen: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  last_seen: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-2222-7abc-8def-0123456789ab' })
  last_execution_id: string;
}

/** Failed and timed out executions of a window, grouped by cause. */
export class FailuresView {
  @ApiProperty({ enum: WINDOWS, example: '24h' })
  window: FailureWindow;

  /** Number of failed executions that were grouped, at most the newest 10,000. */
  @ApiProperty({ type: 'integer', example: 57 })
  examined: number;

  /** True if more executions failed in the window than were grouped. */
  @ApiProperty({ type: 'boolean', example: false })
  truncated: boolean;

  /** Up to 200 groups of failed executions, the largest group first. */
  @ApiProperty({ type: () => [FailureGroupView] })
  groups: readonly FailureGroupView[];

  /** Number of all groups, including groups that `groups` does not contain. */
  @ApiProperty({ type: 'integer', example: 4 })
  groups_total: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  measured_at: string;
}

export function failuresView(failures: Failures): FailuresView {
  return {
    window: failures.window,
    examined: failures.examined,
    truncated: failures.truncated,
    groups: failures.groups.map((group) => ({
      workflow_id: group.workflowId,
      node_id: group.nodeId,
      error_type: group.errorType,
      shape: group.shape,
      message: group.message,
      count: group.count,
      first_seen: group.firstSeen,
      last_seen: group.lastSeen,
      last_execution_id: group.lastExecutionId,
    })),
    groups_total: failures.groupsTotal,
    measured_at: isoTime(failures.measuredAt),
  };
}
