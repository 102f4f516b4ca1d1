/**
 * Measures how many deliveries per second one webhook makes. The webhook is paused until all events to deliver exist.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { inRounds, round, run } from './load.ts';
import { startReceiver } from './receiver.ts';
import { startService } from './service.ts';
import { sized } from './size.ts';
import { createThreeSteps, startsOfThreeSteps } from './three-steps.ts';

const CLIENTS = 64;
const EXECUTIONS = sized(3_000, 200);
/** Number of events of an execution: queued, started, completed, and two for each of three nodes. */
const EVENTS = 9;
const POLL_MS = 5;
const LIMIT_MS = 120_000;

export function webhooks(): Promise<object> {
  return inRounds(measure);
}

async function measure(): Promise<{ readonly deliveries: number; readonly per_second: number }> {
  const receiver = await startReceiver();
  const service = await startService({ settings: { EGRESS_ALLOW: receiver.address } });
  try {
    const { server, headers, post } = service;
    const path = await createThreeSteps(service);
    const endpoint = await post('/v1/webhooks', { url: receiver.url });
    await post(`/v1/webhooks/${endpoint.id}/pause`, {});
    await run({
      ...startsOfThreeSteps({ url: server.url, path, headers, clients: CLIENTS }),
      requests: EXECUTIONS,
    });
    const begun = performance.now();
    await post(`/v1/webhooks/${endpoint.id}/resume`, {});
    while (receiver.count() < EXECUTIONS * EVENTS) {
      if (performance.now() - begun > LIMIT_MS)
        throw new Error(
          `Only ${receiver.count()} of ${EXECUTIONS * EVENTS} events arrived within ${LIMIT_MS} ms.`,
        );
      await pause(POLL_MS);
    }
    const seconds = (performance.now() - begun) / 1_000;
    return { deliveries: receiver.count(), per_second: round(receiver.count() / seconds) };
  } finally {
    await service.stop();
    receiver.stop();
  }
}
