import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { StreamFigures } from '../events/index.js';
import { ExecutionRunnerModule, RunLoop } from '../execution-runner/index.js';
import { JournalModule, JournalTail } from '../journal/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { ScheduleRunner, SchedulesModule } from '../schedules/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { StorageModule, Writer } from '../storage/index.js';
import { WebhookRunner, WebhooksModule, WebhooksRepository } from '../webhooks/index.js';
import { METRICS, type Metrics } from './metrics.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsServer } from './metrics-server.js';
import { QueueFiguresRepository } from './queue-figures.repository.js';

/** Milliseconds for which scrapes of `/metrics` reuse figures that were read from the database. */
const QUEUE_MS = 5_000;

@Module({})
export class MetricsModule {
  /** @param options.imports the events module, in a process that serves clients */
  static forRoot({ imports = [] }: Pick<ModuleMetadata, 'imports'> = {}): DynamicModule {
    return {
      module: MetricsModule,
      imports: [
        ExecutionRunnerModule,
        JournalModule,
        SchedulesModule,
        StorageModule,
        WebhooksModule,
        ...imports,
      ],
      controllers: [MetricsController],
      providers: [
        MetricsServer,
        QueueFiguresRepository,
        {
          provide: METRICS,
          inject: [
            SETTINGS,
            CLOCK,
            RunLoop,
            JournalTail,
            Writer,
            QueueFiguresRepository,
            ScheduleRunner,
            WebhookRunner,
            WebhooksRepository,
            { token: StreamFigures, optional: true },
          ],
          useFactory: metricsOf,
        },
      ],
      exports: [METRICS],
    };
  }
}

/** Creates the metrics; null if neither `METRICS_TOKEN` nor `METRICS_PORT` is set, so that nothing is counted. */
async function metricsOf(
  { METRICS_TOKEN, METRICS_PORT }: Settings,
  clock: Clock,
  runLoop: RunLoop,
  tail: JournalTail,
  writer: Writer,
  queue: QueueFiguresRepository,
  schedules: ScheduleRunner,
  webhooks: WebhookRunner,
  webhookRows: WebhooksRepository,
  streams: StreamFigures | undefined,
): Promise<Metrics> {
  if (METRICS_TOKEN === undefined && METRICS_PORT === undefined) return null;
  const { ServiceMetrics } = await import('./service-metrics.js');
  const metrics = new ServiceMetrics({
    active: () => runLoop.running().length,
    queue: keptFor(QUEUE_MS, clock, () => queue.read(isoTime(clock.now()))),
    webhookLag: keptFor(QUEUE_MS, clock, () => webhookRows.activeLag()),
    streams,
    now: () => clock.now(),
  });
  tail.onCommitted((batch) => metrics.countBatch(batch));
  writer.onCommit((durationMs, units) => metrics.countCommit(durationMs, units));
  schedules.onStarted((lateMs) => metrics.countSchedule(lateMs));
  webhooks.onAttempt((outcome) => metrics.countWebhookAttempt(outcome));
  return metrics;
}

/** Caches the result of `read` for `ms` milliseconds. Concurrent callers share one read. */
function keptFor<Figures>(ms: number, clock: Clock, read: () => Promise<Figures>): () => Promise<Figures> {
  let kept: Promise<Figures> | null = null;
  let readAt = 0;
  return () => {
    if (kept !== null && clock.now() - readAt < ms) return kept;
    readAt = clock.now();
    kept = read().catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return kept;
  };
}
