import {
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceRegistry, InstancesModule } from '../instances/index.js';
import { JournalModule, JournalRepository, JournalTail } from '../journal/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { StorageModule } from '../storage/index.js';
import { ExecutionLog } from './execution-log.js';
import { ExportProgress } from './export-progress.js';
import { SpanQueue } from './span-queue.js';
import { SpanRecorder } from './span-recorder.js';
import { TraceExportEntity } from './trace-export.entity.js';
import { TraceExportsRepository } from './trace-exports.repository.js';

/** Injection token of the span exporter. The provided value is null if no collector is configured. */
const EXPORT = Symbol('EXPORT');

interface Export {
  readonly queue: SpanQueue;
  readonly progress: ExportProgress;
}

@Injectable()
class Telemetry implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Telemetry.name);

  constructor(@Inject(EXPORT) private readonly spans: Export | null) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.spans?.progress.start();
  }

  /** Exports the last spans at shutdown, after executions have been drained and while the database is still open. */
  async onApplicationShutdown(): Promise<void> {
    if (this.spans === null) return;
    const { progress, queue } = this.spans;
    try {
      await progress.stop();
      await queue.close();
    } catch (error) {
      this.logger.warn({ err: error }, 'The last spans could not be exported; another process exports them.');
    }
  }
}

/**
 * Exports the traces of executions, computed from their events. If no collector is configured, no exporter is loaded
 * and no span is computed.
 */
@Module({
  imports: [TypeOrmModule.forFeature([TraceExportEntity]), InstancesModule, JournalModule, StorageModule],
  providers: [
    ExecutionLog,
    Telemetry,
    TraceExportsRepository,
    {
      provide: EXPORT,
      inject: [SETTINGS, JournalTail, JournalRepository, InstanceRegistry, TraceExportsRepository],
      useFactory: exportOf,
    },
  ],
})
export class TelemetryModule {}

async function exportOf(
  settings: Settings,
  tail: JournalTail,
  journal: JournalRepository,
  { id: instanceId, version }: InstanceRegistry,
  exports: TraceExportsRepository,
): Promise<Export | null> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
    OTEL_SERVICE_NAME: serviceName,
  } = settings;
  if (endpoint === undefined) return null;
  const { OtlpSink } = await import('./otlp-sink.js');
  const queue = new SpanQueue(new OtlpSink({ endpoint, headers, serviceName, version, instanceId }));
  const recorder = new SpanRecorder(
    (executionId, upTo) => journal.firstEvents(executionId, upTo),
    (position, spans) => queue.add(position, spans),
  );
  const progress = new ExportProgress(instanceId, exports, journal, recorder, queue);
  tail.onCommitted((batch) => {
    recorder.record(batch);
    progress.reached(batch.position);
  });
  return { queue, progress };
}
