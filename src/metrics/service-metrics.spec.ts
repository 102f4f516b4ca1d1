import { expect, it } from 'vitest';
import { ServiceMetrics } from './service-metrics.js';

const NOW = Date.UTC(2030, 0, 1);

it('the first scrape shows the age of the oldest runnable execution', async () => {
  const metrics = new ServiceMetrics({
    active: () => 0,
    queue: () => Promise.resolve({ runnable: 2, oldestRunnableAt: new Date(NOW - 10_000).toISOString() }),
    webhookLag: () => Promise.resolve(0),
    streams: undefined,
    now: () => NOW,
  });
  const text = await metrics.text();
  expect(/^[^#]*queue_oldest_seconds (.*)$/mu.exec(text)?.[1]).toBe('10');
  expect(/^[^#]*executions_queued (.*)$/mu.exec(text)?.[1]).toBe('2');
});
