import type { Metric, Registry } from 'prom-client';
import { type Labels, LabelValues, type MetricOptions } from './label-values.js';

export interface HistogramOptions extends MetricOptions {
  /** Upper bounds of the buckets, in ascending order. */
  readonly buckets: readonly number[];
}

/** Counts and sum of all observations that have the same label values. */
interface Observations {
  /** Number of observations per bucket. The last element counts observations above all upper bounds. */
  readonly counts: number[];
  sum: number;
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A histogram that adds observations to plain numbers, and creates the samples of prom-client only for a scrape. */
export class SummedHistogram {
  private readonly observed: LabelValues<Observations>;

  constructor(
    registry: Registry,
    private readonly options: HistogramOptions,
  ) {
    const { labelNames, buckets } = options;
    const size = buckets.length + 1;
    this.observed = new LabelValues(labelNames, () => ({
      counts: Array.from({ length: size }, () => 0),
      sum: 0,
    }));
    // The cast is safe, because the registry uses only the name and the method `get` of a metric.
    registry.registerMetric(this as unknown as Metric);
  }

  get name(): string {
    return this.options.name;
  }

  /** @param labels values of the labels, in the order of the label names */
  observe(value: number, ...labels: readonly string[]): void {
    const observations = this.observed.cellOf(labels);
    const bucket = this.options.buckets.findIndex((upperBound) => value <= upperBound);
    const index = bucket === -1 ? observations.counts.length - 1 : bucket;
    observations.counts[index] = (observations.counts[index] ?? 0) + 1;
    observations.sum += value;
  }

  /** Returns the metric and its samples in the format of prom-client, with cumulative counts of the buckets. */
  get(): Promise<object> {
    const { name, help } = this.options;
    const values = [...this.observed.all()].flatMap(({ labels, cell }) => this.samplesOf(labels, cell));
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values });
  }

  private samplesOf(labels: Labels, { counts, sum }: Observations): readonly Sample[] {
    const { name, buckets } = this.options;
    let count = 0;
    const cumulative = counts.map((inBucket, index) => {
      count += inBucket;
      const le = buckets[index] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
