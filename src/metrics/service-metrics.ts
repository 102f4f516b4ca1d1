import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { isKnown, type ReadEvent } from '../execution-events/index.js';
import type { Batch } from '../journal/index.js';
import { type StreamFigures, TRANSPORTS } from '../events/index.js';
import type { AttemptOutcome } from '../webhooks/index.js';
import type { QueueFigures } from './queue-figures.repository.js';
import { type HistogramOptions, SummedHistogram } from './summed-histogram.js';
import { Tally } from './tally.js';

const PREFIX = 'workflow_service_';

/** Upper bounds of histogram buckets, in seconds: from a commit on a fast disk to a call of a slow server. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const UNITS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];

export interface MetricSources {
  readonly active: () => number;
  readonly queue: () => Promise<QueueFigures>;
  readonly webhookLag: () => Promise<number>;
  /** Figures of open client connections; undefined in a process that serves no clients. */
  readonly streams: StreamFigures | undefined;
  readonly now: () => number;
}

export class ServiceMetrics {
  private readonly registry = new Registry();
  private readonly started = this.tally('executions_started_total', 'Started executions.', ['trigger']);
  private readonly ended = this.tally('executions_ended_total', 'Ended executions.', ['status']);
  private readonly attempts = this.tally('node_attempts_total', 'Ended attempts of nodes.', [
    'type',
    'outcome',
  ]);
  private readonly nodeDuration = this.histogram('node_duration_seconds', 'Duration of completed nodes.', {
    labelNames: ['type'],
  });
  private readonly startToEnd = this.histogram(
    'start_to_end_seconds',
    'Time from the start of an execution to its end.',
  );
  private readonly takeovers = this.tally(
    'lease_takeovers_total',
    'Executions that this process took over from a crashed or ended process.',
  );
  private readonly commitDuration = this.histogram(
    'commit_duration_seconds',
    'Time from sending a commit to the database until its response.',
  );
  private readonly commitUnits = this.histogram('commit_units', 'Units of work in one commit.', {
    buckets: UNITS,
  });
  private readonly scheduleLateness = this.histogram(
    'schedule_lateness_seconds',
    'Time from the scheduled time of an execution, including jitter, to the commit of its start.',
  );
  private readonly webhookDeliveries = this.tally(
    'webhook_deliveries_total',
    'Attempts to deliver an event to a webhook: delivered, retrying or failed.',
    ['outcome'],
  );
  private readonly requests = this.histogram('http_request_duration_seconds', 'Duration of HTTP requests.', {
    labelNames: ['method', 'route', 'status'],
  });

  constructor(sources: MetricSources) {
    collectDefaultMetrics({ register: this.registry });
    this.gauge('executions_active', 'Executions that currently run in this process.', (gauge) =>
      gauge.set(sources.active()),
    );
    this.gauge('queue_oldest_seconds', 'Age of the oldest runnable execution.', async (gauge) => {
      const { oldestRunnableAt } = await sources.queue();
      gauge.set(
        oldestRunnableAt === null ? 0 : Math.max(0, sources.now() - Date.parse(oldestRunnableAt)) / 1_000,
      );
    });
    this.gauge('executions_queued', 'Runnable executions of all projects.', async (gauge) =>
      gauge.set((await sources.queue()).runnable),
    );
    this.gauge(
      'webhook_lag_events',
      'Undelivered events of the active webhooks in all projects.',
      async (gauge) => gauge.set(await sources.webhookLag()),
    );
    if (sources.streams !== undefined) this.readStreams(sources.streams);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Counts the events of a committed batch, except node events that a retry copied from the original execution. */
  countBatch({ events }: Batch): void {
    let isCopy = false;
    for (const event of events) {
      if (event.nodeId === null) isCopy = event.type === 'workflow.queued';
      else if (isCopy) continue;
      this.countEvent(event);
    }
  }

  countCommit(durationMs: number, units: number): void {
    this.commitDuration.observe(durationMs / 1_000);
    this.commitUnits.observe(units);
  }

  /**
   * @param lateMs milliseconds from the scheduled time, including jitter, to the commit of the execution's start
   */
  countSchedule(lateMs: number): void {
    this.scheduleLateness.observe(Math.max(0, lateMs) / 1_000);
  }

  countWebhookAttempt(outcome: AttemptOutcome): void {
    this.webhookDeliveries.count(outcome);
  }

  /** @param route the pattern of the route; undefined if no route matched */
  countRequest(method: string, route: string | undefined, status: number, durationMs: number): void {
    this.requests.observe(durationMs / 1_000, method, route ?? 'none', String(status));
  }

  private countEvent(event: ReadEvent): void {
    if (!isKnown(event)) return;
    switch (event.type) {
      case 'workflow.queued':
        return this.started.count(event.data.trigger.type);
      case 'workflow.recovered':
        return this.takeovers.count();
      case 'workflow.completed':
      case 'workflow.failed':
      case 'workflow.cancelled':
        this.ended.count(event.data.status);
        return this.startToEnd.observe(event.data.duration_ms / 1_000);
      case 'workflow.node.complete':
        this.attempts.count(event.data.node_type, 'completed');
        return this.nodeDuration.observe(event.data.duration_ms / 1_000, event.data.node_type);
      case 'workflow.node.failed':
        return this.attempts.count(event.data.node_type, 'failed');
      case 'workflow.node.retrying':
        return this.attempts.count(event.data.node_type, 'retrying');
      default:
        return;
    }
  }

  private readStreams(streams: StreamFigures): void {
    this.gauge(
      'sockets_open',
      'Open sockets and event streams of clients.',
      (gauge) => {
        for (const transport of TRANSPORTS) gauge.set({ transport }, streams.open[transport]);
      },
      ['transport'],
    );
    const registers = [this.registry];
    new Counter({
      name: `${PREFIX}events_delivered_total`,
      help: 'Events that were sent to clients.',
      labelNames: ['transport'],
      registers,
      collect() {
        this.reset();
        for (const transport of TRANSPORTS) this.inc({ transport }, streams.delivered[transport]);
      },
    });
    new Counter({
      name: `${PREFIX}slow_readers_closed_total`,
      help: 'Clients that were closed because they read too slowly.',
      registers,
      collect() {
        this.reset();
        this.inc(streams.slowReadersClosed);
      },
    });
  }

  private tally(name: string, help: string, labelNames: readonly string[] = []): Tally {
    return new Tally(this.registry, { name: PREFIX + name, help, labelNames });
  }

  private histogram(
    name: string,
    help: string,
    { labelNames = [], buckets = DURATIONS }: Partial<Pick<HistogramOptions, 'labelNames' | 'buckets'>> = {},
  ): SummedHistogram {
    return new SummedHistogram(this.registry, { name: PREFIX + name, help, labelNames, buckets });
  }

  private gauge(
    name: string,
    help: string,
    collect: (gauge: Gauge) => void | Promise<void> = () => undefined,
    labelNames: readonly string[] = [],
  ): Gauge {
    return new Gauge({
      name: PREFIX + name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect() {
        return collect(this);
      },
    });
  }
}
