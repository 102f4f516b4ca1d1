import { ApiProperty } from '@nestjs/swagger';
import { type ExecutionStatus, isFinal, EXECUTION_STATUSES } from '../../execution-events/index.js';
import { isoTime } from '../../platform/index.js';
import type { LatestRun, Usage } from './stats.repository.js';
import { type Stats, WINDOW_HOURS, type Window } from './stats.service.js';

const ID_EXAMPLE = '0199a8c0-2222-7abc-8def-0123456789ab';

class EndedCountsView {
  @ApiProperty({ type: 'integer', example: 40 })
  completed: number;

  @ApiProperty({ type: 'integer', example: 1 })
  failed: number;

  @ApiProperty({ type: 'integer', example: 0 })
  cancelled: number;

  @ApiProperty({ type: 'integer', example: 1 })
  timed_out: number;
}

class ActiveCountsView {
  @ApiProperty({ type: 'integer', example: 3 })
  total: number;

  @ApiProperty({ type: 'integer', example: 0 })
  queued: number;

  @ApiProperty({ type: 'integer', example: 2 })
  running: number;

  @ApiProperty({ type: 'integer', example: 1 })
  waiting: number;

  @ApiProperty({ type: 'integer', example: 0 })
  paused: number;
}

class DurationsView {
  @ApiProperty({ type: 'integer', nullable: true, example: 120 })
  p50: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 900 })
  p95: number | null;
}

class HourView {
  /** Time at which the hour starts. */
  @ApiProperty({ type: 'string', format: 'date-time' })
  at: string;

  @ApiProperty({ type: 'integer', example: 12 })
  completed: number;

  /** Number of failed and timed out executions. */
  @ApiProperty({ type: 'integer', example: 1 })
  failed: number;

  /**
   * 95th percentile of the durations of the executions that ended in the hour, in milliseconds. Null if no execution
   * ended.
   */
  @ApiProperty({ type: 'integer', nullable: true, example: 900 })
  p95_ms: number | null;
}

/** Statistics of the executions in a window. */
export class ExecutionStatsView {
  @ApiProperty({ enum: Object.keys(WINDOW_HOURS), example: '24h' })
  window: Window;

  @ApiProperty({ type: 'string', format: 'date-time' })
  from: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  to: string;

  /** Numbers of the executions that ended in the window, by status. */
  @ApiProperty({ type: () => EndedCountsView })
  ended: EndedCountsView;

  /**
   * Completed executions as a fraction of all completed, failed and timed out executions. Null if no such execution
   * ended in the window.
   */
  @ApiProperty({ type: 'number', nullable: true, minimum: 0, maximum: 1, example: 0.952 })
  success_rate: number | null;

  /**
   * Durations from the start to the end of an execution, in milliseconds, accurate to 10 %. Only executions that ended
   * in the window count.
   */
  @ApiProperty({ type: () => DurationsView })
  duration_ms: DurationsView;

  /** Numbers of unfinished executions by status, regardless of when the executions started. */
  @ApiProperty({ type: () => ActiveCountsView })
  active: ActiveCountsView;

  /** Figures for each hour of the window, oldest hour first. */
  @ApiProperty({ type: () => [HourView] })
  series: readonly HourView[];

  /**
   * True if only the newest of the recently ended executions are counted, because there are too many to count them all.
   */
  @ApiProperty({ type: 'boolean', example: false })
  sampled: boolean;
}

export function executionStatsView({ window, from, to, ended, active, sampled }: Stats): ExecutionStatsView {
  const endedAs = (status: ExecutionStatus): number => ended.byStatus.get(status) ?? 0;
  const activeAs = (status: ExecutionStatus): number => active.get(status) ?? 0;
  return {
    window,
    from: isoTime(from),
    to: isoTime(to),
    ended: {
      completed: endedAs('completed'),
      failed: endedAs('failed'),
      cancelled: endedAs('cancelled'),
      timed_out: endedAs('timed_out'),
    },
    success_rate: rate(endedAs('completed'), endedAs('failed') + endedAs('timed_out')),
    duration_ms: { p50: ended.p50, p95: ended.p95 },
    active: {
      total: [...active.values()].reduce((total, n) => total + n, 0),
      queued: activeAs('queued'),
      running: activeAs('running'),
      waiting: activeAs('waiting'),
      paused: activeAs('paused'),
    },
    series: ended.hours.map(({ at, completed, failed, p95 }) => ({
      at: isoTime(at),
      completed,
      failed,
      p95_ms: p95,
    })),
    sampled,
  };
}

class RunView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ enum: EXECUTION_STATUSES, example: 'completed' })
  status: ExecutionStatus;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 7 })
  duration_ms: number | null;
}

/** The latest executions of a workflow, with their success rate. */
class WorkflowRunsView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  workflow_id: string;

  /**
   * Completed executions as a fraction of the completed, failed and timed out executions in `runs`. Null if `runs`
   * contains none of them.
   */
  @ApiProperty({ type: 'number', nullable: true, minimum: 0, maximum: 1, example: 0.95 })
  success_rate: number | null;

  /** Latest executions of the workflow, at most 20, newest first. */
  @ApiProperty({ type: () => [RunView] })
  runs: readonly RunView[];
}

export class LatestRunsView {
  @ApiProperty({ type: () => [WorkflowRunsView] })
  data: readonly WorkflowRunsView[];
}

export function latestRunsView(byWorkflow: ReadonlyMap<string, readonly LatestRun[]>): LatestRunsView {
  return {
    data: [...byWorkflow].map(([workflow_id, runs]) => {
      const ended = runs.filter(({ status }) => isFinal(status) && status !== 'cancelled');
      const completed = ended.filter(({ status }) => status === 'completed').length;
      return {
        workflow_id,
        success_rate: rate(completed, ended.length - completed),
        runs: runs.map(({ id, status, createdAt, startedAt, finishedAt }) => ({
          id,
          status,
          created_at: createdAt,
          duration_ms:
            startedAt === null || finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt),
        })),
      };
    }),
  };
}

function rate(good: number, bad: number): number | null {
  return good + bad === 0 ? null : Math.round((1_000 * good) / (good + bad)) / 1_000;
}

/** Number of executions and events of a project, and the storage that they use. */
export class ProjectUsageView {
  @ApiProperty({ type: 'integer', example: 1200 })
  executions: number;

  @ApiProperty({ type: 'integer', example: 8400 })
  events: number;

  /**
   * Total size in bytes of inputs and outputs that are stored separately because they are too long for their events.
   */
  @ApiProperty({ type: 'integer', example: 1048576 })
  payload_bytes: number;

  @ApiProperty({ type: 'integer', example: 5242880 })
  journal_bytes: number;

  /** Total size of cached node results in bytes. */
  @ApiProperty({ type: 'integer', example: 65536 })
  results_bytes: number;

  /**
   * True if the sizes are estimated from the newest executions, because too many recent executions exist to measure
   * each of them.
   */
  @ApiProperty({ type: 'boolean', example: false })
  estimated: boolean;

  @ApiProperty({ type: 'string', format: 'date-time' })
  measured_at: string;
}

export function projectUsageView(usage: Usage, measuredAt: number): ProjectUsageView {
  return {
    executions: usage.executions,
    events: usage.events,
    payload_bytes: usage.payloadBytes,
    journal_bytes: usage.journalBytes,
    results_bytes: usage.resultsBytes,
    estimated: usage.estimated,
    measured_at: isoTime(measuredAt),
  };
}
