/**
 * W5 with stalled readers. Clients that stop reading must not increase the memory of the service or delay other
 * clients.
 */
import { inRounds, round } from './load.ts';
import { startService } from './service.ts';
import { sized } from './size.ts';
import { openReaders } from './socket-readers.ts';
import { helloOf, makeKeys, SOCKETS_A_KEY } from './socket-keys.ts';

const STALLED = sized(1_000, 100);
const HEALTHY = 10;
const NODES = 20;
const EVENTS = 3 + 2 * NODES;
const EXECUTIONS = sized(400, 40);

export interface Stalled {
  readonly stalled_readers: number;
  readonly events: number;
  readonly growth_mb: number;
  /** Milliseconds from a request until all clients that still read have received the last event. */
  readonly healthy_p50_ms: number;
  readonly healthy_p99_ms: number;
}

export function stalled(): Promise<Stalled> {
  return inRounds(stalledOnce);
}

async function stalledOnce(): Promise<Stalled> {
  const service = await startService();
  try {
    const keys = makeKeys(service, Math.ceil((STALLED + HEALTHY) / SOCKETS_A_KEY));
    const workflow = await service.post('/v1/workflows', {
      name: 'some events',
      nodes: Array.from({ length: NODES }, (_, index) => ({
        id: `n${index}`,
        type: 'set',
        with: { value: index },
      })),
    });
    const sleepers = await openReaders(service.server.url, STALLED, (index) => helloOf(keys, index), 1);
    const readers = await openReaders(
      service.server.url,
      HEALTHY,
      (index) => helloOf(keys, STALLED + index),
      1,
    );
    sleepers.stall(STALLED);
    const before = service.server.residentMb();
    const latencies: number[] = [];
    let most = before;
    for (let index = 0; index < EXECUTIONS; index += 1) {
      const arrival = readers.received(EVENTS);
      await service.post(`/v1/workflows/${workflow.id}/executions`, {});
      latencies.push(await arrival);
      most = Math.max(most, service.server.residentMb());
    }
    sleepers.close();
    readers.close();
    latencies.sort((a, b) => a - b);
    return {
      stalled_readers: STALLED,
      events: EVENTS * EXECUTIONS,
      growth_mb: round(most - before),
      healthy_p50_ms: round(latencies[Math.floor(EXECUTIONS * 0.5)] ?? 0),
      healthy_p99_ms: round(latencies[Math.floor(EXECUTIONS * 0.99)] ?? 0),
    };
  } finally {
    await service.stop();
  }
}
