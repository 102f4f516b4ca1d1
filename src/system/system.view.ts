import { ApiProperty } from '@nestjs/swagger';
import type { BlockingTransaction } from '../journal/index.js';
import { isoTime } from '../platform/index.js';
import { processView, QueueProcessView } from '../execution-reports/index.js';
import type { SystemFigures } from './system.service.js';
import type { WebhookFigures } from './webhook-backlogs.js';

class SystemProcessView extends QueueProcessView {
  /** `executions_held` as a share of RUN_CONCURRENCY. Null for a process that runs no executions. */
  @ApiProperty({ type: 'number', nullable: true, example: 0.16 })
  load: number | null;
}

class SystemQueueView {
  /** Number of executions that could run now and wait for a process. */
  @ApiProperty({ type: 'integer', example: 12 })
  runnable: number;

  /** Number of executions that a timer wakes later. */
  @ApiProperty({ type: 'integer', example: 3 })
  sleeping: number;

  /** Age of the oldest runnable execution in seconds, or 0. */
  @ApiProperty({ type: 'number', example: 0.4 })
  oldest_seconds: number;
}

class SystemCommitsView {
  /** Id of the responding process, whose commits are measured: those of the last five minutes, at most 1,024. */
  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-2222-7abc-8def-0123456789ab' })
  process_id: string;

  @ApiProperty({ type: 'integer', example: 1024 })
  count: number;

  /** Median in milliseconds. Null without a commit. */
  @ApiProperty({ type: 'number', nullable: true, example: 1.2 })
  p50_ms: number | null;

  @ApiProperty({ type: 'number', nullable: true, example: 4.8 })
  p95_ms: number | null;

  @ApiProperty({ type: 'number', nullable: true, example: 17.3 })
  max_ms: number | null;
}

class DelayingTransactionView {
  /** Process id of the transaction's connection in `pg_stat_activity`. Null for a prepared transaction. */
  @ApiProperty({ type: 'integer', nullable: true, example: 4711 })
  pid: number | null;

  /** Name of a prepared transaction in `pg_prepared_xacts`. Null for other transactions. */
  @ApiProperty({ type: 'string', nullable: true, example: 'transfer-42' })
  prepared_transaction: string | null;

  /** Seconds since the transaction began. Null without permission to see this time. */
  @ApiProperty({ type: 'number', nullable: true, example: 61.2 })
  age_seconds: number | null;

  /** Start of the transaction's last statement. Null without permission to see this time. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  query_started_at: string | null;

  /** `application_name` of the transaction's connection. Null for none. */
  @ApiProperty({ type: 'string', nullable: true, example: 'nightly report' })
  application: string | null;
}

class SystemFeedView {
  /** Age in seconds of the oldest committed event that clients do not get yet, or 0. */
  @ApiProperty({ type: 'number', example: 0 })
  delay_seconds: number;

  /** The transaction that delays the feed by five seconds or more. Null without a delay. */
  @ApiProperty({ type: () => DelayingTransactionView, nullable: true })
  delayed_by: DelayingTransactionView | null;
}

class TableSizeView {
  @ApiProperty({ type: 'string', example: 'journal' })
  name: string;

  /** Size including indexes. */
  @ApiProperty({ type: 'integer', example: 73_400_320 })
  size_bytes: number;
}

class SystemDatabaseView {
  @ApiProperty({ enum: ['sqlite', 'postgres'], example: 'sqlite' })
  kind: 'sqlite' | 'postgres';

  @ApiProperty({ type: 'integer', example: 104_857_600 })
  size_bytes: number;

  /** The ten largest tables. Null for SQLite files above 512 MB, because a measurement reads the whole file. */
  @ApiProperty({ type: [TableSizeView], nullable: true })
  tables: TableSizeView[] | null;
}

class WebhookBacklogView {
  @ApiProperty({ type: 'string', format: 'uuid', example: '019aaf3e-3c1c-7c34-9f6e-0f2a3b4c5d6e' })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-2222-7abc-8def-0123456789ab' })
  project_id: string;

  @ApiProperty({ type: 'string', format: 'uri', example: 'https://example.com/events' })
  url: string;

  @ApiProperty({ type: 'integer', example: 1204 })
  lag_events: number;

  /** First failed attempt since the last success. Null for a working endpoint. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  failing_since: string | null;
}

class SystemWebhooksView {
  @ApiProperty({ type: 'integer', example: 14 })
  active: number;

  /** Number of all teams' active webhooks with events to deliver. */
  @ApiProperty({ type: 'integer', example: 2 })
  behind: number;

  /** Number of all teams' active webhooks whose last attempt failed. */
  @ApiProperty({ type: 'integer', example: 1 })
  failing: number;

  /** Largest number of undelivered events of one webhook. */
  @ApiProperty({ type: 'integer', example: 1204 })
  max_lag_events: number;

  /** Start of the longest current failure of an endpoint. Null if no endpoint fails. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  failing_since: string | null;

  /**
   * At most ten webhooks of the caller's team with undelivered events or a failing endpoint, the longest failures
   * first.
   */
  @ApiProperty({ type: [WebhookBacklogView] })
  endpoints: WebhookBacklogView[];
}

export class SystemView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  measured_at: string;

  /** All processes on the database, the oldest first. */
  @ApiProperty({ type: [SystemProcessView] })
  processes: SystemProcessView[];

  @ApiProperty({ type: () => SystemQueueView })
  queue: SystemQueueView;

  @ApiProperty({ type: () => SystemCommitsView })
  commits: SystemCommitsView;

  @ApiProperty({ type: () => SystemFeedView })
  feed: SystemFeedView;

  @ApiProperty({ type: () => SystemDatabaseView })
  database: SystemDatabaseView;

  @ApiProperty({ type: () => SystemWebhooksView })
  webhooks: SystemWebhooksView;
}

export function systemView(figures: SystemFigures, webhooks: WebhookFigures): SystemView {
  const { measuredAt, processes, capacity, queue, commits, feed, database } = figures;
  const oldest = queue.oldestRunnableAt === null ? measuredAt : Date.parse(queue.oldestRunnableAt);
  return {
    measured_at: isoTime(measuredAt),
    processes: processes.map((process) => ({
      ...processView(process),
      load: process.role === 'api' ? null : Math.round((process.held / capacity) * 1_000) / 1_000,
    })),
    queue: {
      runnable: queue.runnable,
      sleeping: queue.sleeping,
      oldest_seconds: Math.max(0, measuredAt - oldest) / 1_000,
    },
    commits: {
      process_id: figures.processId,
      count: commits.count,
      p50_ms: rounded(commits.p50Ms),
      p95_ms: rounded(commits.p95Ms),
      max_ms: rounded(commits.maxMs),
    },
    feed: {
      delay_seconds: feed.ms / 1_000,
      delayed_by: feed.by === null ? null : delayingView(feed.by),
    },
    database: {
      kind: database.dialect,
      size_bytes: database.bytes,
      tables: database.tables?.map(({ name, bytes }) => ({ name, size_bytes: bytes })) ?? null,
    },
    webhooks: {
      active: webhooks.active,
      behind: webhooks.behind,
      failing: webhooks.failing,
      max_lag_events: webhooks.maxLagEvents,
      failing_since: webhooks.failingSince,
      endpoints: webhooks.endpoints.map(({ id, projectId, url, lagEvents, failingSince }) => ({
        ...{ id, url, project_id: projectId },
        lag_events: lagEvents,
        failing_since: failingSince,
      })),
    },
  };
}

function delayingView({
  pid,
  preparedTransaction,
  ageMs,
  queryStart,
  applicationName,
}: BlockingTransaction): DelayingTransactionView {
  return {
    pid,
    prepared_transaction: preparedTransaction,
    age_seconds: ageMs === null ? null : ageMs / 1_000,
    query_started_at: queryStart,
    application: applicationName,
  };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
