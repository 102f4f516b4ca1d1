import { ApiProperty } from '@nestjs/swagger';
import type { BlockingTransaction } from '../journal/index.js';
import { isoTime } from '../platform/index.js';
import { processView, QueueProcessView } from '../execution-reports/index.js';
import type { SystemFigures } from './system.service.js';
import type { WebhookFigures } from './webhook-backlogs.js';

class SystemProcessView extends QueueProcessView {
  /** `executions_held` divided by RUN_CONCURRENCY. Null for a process with the role `api`, which runs no executions. */
  @ApiProperty({ type: 'number', nullable: true, example: 0.16 })
  load: number | null;
}

class SystemQueueView {
  /** Number of executions that are ready to run and wait for a free process. */
  @ApiProperty({ type: 'integer', example: 12 })
  runnable: number;

  /** Number of executions that wait for a timer. */
  @ApiProperty({ type: 'integer', example: 3 })
  sleeping: number;

  /** Age of the oldest runnable execution in seconds. 0 if no execution is runnable. */
  @ApiProperty({ type: 'number', example: 0.4 })
  oldest_seconds: number;
}

class SystemCommitsView {
  /**
   * Id of the process that responds. The figures cover only the commits of this process in the last five minutes, at
   * most 1,024 commits.
   */
  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-2222-7abc-8def-0123456789ab' })
  process_id: string;

  @ApiProperty({ type: 'integer', example: 1024 })
  count: number;

  /** Median duration of a commit in milliseconds. Null if the last five minutes had no commit. */
  @ApiProperty({ type: 'number', nullable: true, example: 1.2 })
  p50_ms: number | null;

  @ApiProperty({ type: 'number', nullable: true, example: 4.8 })
  p95_ms: number | null;

  @ApiProperty({ type: 'number', nullable: true, example: 17.3 })
  max_ms: number | null;
}

class DelayingTransactionView {
  /** Process id (`pid`) of the transaction's connection in `pg_stat_activity`. Null for a prepared transaction. */
  @ApiProperty({ type: 'integer', nullable: true, example: 4711 })
  pid: number | null;

  /** Name of the prepared transaction in `pg_prepared_xacts`. Null for a transaction that is not prepared. */
  @ApiProperty({ type: 'string', nullable: true, example: 'transfer-42' })
  prepared_transaction: string | null;

  /** Seconds since the transaction began. Null if the service's database user may not see the time. */
  @ApiProperty({ type: 'number', nullable: true, example: 61.2 })
  age_seconds: number | null;

  /**
   * Time at which the transaction's last statement began. Null for a prepared transaction, or if the service's database
   * user may not see the time.
   */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  query_started_at: string | null;

  /**
   * `application_name` of the transaction's connection. Null for a prepared transaction, or for a connection without a
   * name.
   */
  @ApiProperty({ type: 'string', nullable: true, example: 'nightly report' })
  application: string | null;
}

class SystemFeedView {
  /**
   * Age in seconds of the oldest committed event that clients cannot read yet. 0 if clients can read all committed
   * events.
   */
  @ApiProperty({ type: 'number', example: 0 })
  delay_seconds: number;

  /**
   * Open transaction that delays the feed of events by five seconds or more. Null if no transaction delays the feed.
   */
  @ApiProperty({ type: () => DelayingTransactionView, nullable: true })
  delayed_by: DelayingTransactionView | null;
}

class TableSizeView {
  @ApiProperty({ type: 'string', example: 'journal' })
  name: string;

  /** Size of the table in bytes, including its indexes. */
  @ApiProperty({ type: 'integer', example: 73_400_320 })
  size_bytes: number;
}

class SystemDatabaseView {
  @ApiProperty({ enum: ['sqlite', 'postgres'], example: 'sqlite' })
  kind: 'sqlite' | 'postgres';

  @ApiProperty({ type: 'integer', example: 104_857_600 })
  size_bytes: number;

  /** The ten largest tables. Null for a SQLite file over 512 MiB, because a measurement reads the whole file. */
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

  /** Time of the first failed attempt since the last successful attempt. Null if the last attempt succeeded. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  failing_since: string | null;
}

class SystemWebhooksView {
  @ApiProperty({ type: 'integer', example: 14 })
  active: number;

  /** Number of active webhooks of all teams that have undelivered events. */
  @ApiProperty({ type: 'integer', example: 2 })
  behind: number;

  /** Number of active webhooks of all teams whose last attempt failed. */
  @ApiProperty({ type: 'integer', example: 1 })
  failing: number;

  /** Largest number of undelivered events of one webhook. */
  @ApiProperty({ type: 'integer', example: 1204 })
  max_lag_events: number;

  /** Start of the failure that has lasted longest among all webhooks. Null if no webhook fails. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  failing_since: string | null;

  /**
   * Webhooks of the caller's team that have undelivered events or a failing endpoint. The list contains at most ten
   * webhooks, the longest failures first.
   */
  @ApiProperty({ type: [WebhookBacklogView] })
  endpoints: WebhookBacklogView[];
}

export class SystemView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  measured_at: string;

  /** All processes that use the database, the oldest process first. */
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
