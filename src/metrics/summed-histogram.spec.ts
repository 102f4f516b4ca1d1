import { Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { SummedHistogram } from './summed-histogram.js';
import { Tally } from './tally.js';

const BUCKETS = [0.1, 1, 10];

describe('SummedHistogram', () => {
  it('a summed histogram exports the same text as a prom-client histogram with the same observations', async () => {
    const options = { name: 'duration_seconds', help: 'Duration.', labelNames: ['method', 'status'] };
    const [own, library] = [new Registry(), new Registry()];
    const summed = new SummedHistogram(own, { ...options, buckets: BUCKETS });
    const histogram = new Histogram({ ...options, buckets: BUCKETS, registers: [library] });
    for (const [value, method, status] of [
      [0.05, 'GET', '200'],
      [0.1, 'GET', '200'],
      [0.5, 'GET', '404'],
      [2, 'POST', '200'],
      [11, 'GET', '200'],
    ] as const) {
      summed.observe(value, method, status);
      histogram.observe({ method, status }, value);
    }
    expect(await own.metrics()).toBe(await library.metrics());
  });

  it('a summed histogram without labels reports zeros before the first observation', async () => {
    const [own, library] = [new Registry(), new Registry()];
    const options = { name: 'units', help: 'Units.', buckets: BUCKETS };
    new SummedHistogram(own, { ...options, labelNames: [] });
    new Histogram({ ...options, registers: [library] });
    expect(await own.metrics()).toBe(await library.metrics());
  });
});

describe('Tally', () => {
  it('each scrape returns the total number of events that a `Tally` has counted', async () => {
    const registry = new Registry();
    const tally = new Tally(registry, { name: 'ends_total', help: 'Ends.', labelNames: ['type', 'outcome'] });
    tally.count('http', 'failed');
    tally.count('http', 'failed');
    tally.count('set', 'completed');
    const expected = [
      'ends_total{type="http",outcome="failed"} 2',
      'ends_total{type="set",outcome="completed"} 1',
    ];
    for (const line of expected) expect(await registry.metrics()).toContain(line);
    tally.count('http', 'failed');
    expect(await registry.metrics()).toContain('ends_total{type="http",outcome="failed"} 3');
  });

  it('a scrape returns zero for a `Tally` without labels before the first event', async () => {
    const registry = new Registry();
    new Tally(registry, { name: 'takeovers_total', help: 'Takeovers.', labelNames: [] });
    expect(await registry.metrics()).toContain('takeovers_total 0');
  });
});
