import { Counter, type Registry } from 'prom-client';
import { LabelValues, type MetricOptions } from './label-values.js';

/** A counter that adds events to plain numbers, and passes the numbers to prom-client only for a scrape. */
export class Tally {
  private readonly counts: LabelValues<{ value: number }>;

  constructor(registry: Registry, { name, help, labelNames }: MetricOptions) {
    const counts = new LabelValues(labelNames, () => ({ value: 0 }));
    this.counts = counts;
    new Counter({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, cell } of counts.all()) this.inc(labels, cell.value);
      },
    });
  }

  /** @param labels values of the labels, in the order of the label names */
  count(...labels: readonly string[]): void {
    this.counts.cellOf(labels).value += 1;
  }
}
