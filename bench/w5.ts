/** W5: the same events to 1, 100 and 1,000 sockets, beside a bare `ws` server that sends as many bytes. */
import { round } from './load.ts';
import { startServer } from './server-process.ts';
import { startService } from './service.ts';
import { helloOf, makeKeys, SOCKETS_A_KEY } from './socket-keys.ts';
import { openReaders } from './socket-readers.ts';

const SOCKETS = [1, 100, 1_000];
/** Nodes of the workflow whose one execution makes the events: two a node and three more. */
const NODES = 400;
const EVENTS = 3 + 2 * NODES;
const ROUNDS = 5;
/** Events of an execution without nodes. */
const FEW = 3;
const PACED = 200;
/** Length that makes a bare message as long as an event of the service. */
const FILLER = 470;

export interface Deliveries {
  readonly sockets: number;
  readonly service_per_second: number;
  readonly bare_per_second: number;
  readonly ratio: number;
  /** From the request that makes three events to the last of them at the last socket, one request at a time. */
  readonly service_p99_ms: number;
  readonly bare_p99_ms: number;
}

export async function deliveries(): Promise<readonly Deliveries[]> {
  const service = await startService();
  const bare = await startServer(['bench/bare-sockets.ts']);
  try {
    const keys = makeKeys(service, Math.ceil(Math.max(...SOCKETS) / SOCKETS_A_KEY));
    const workflow = await service.post('/v1/workflows', { name: 'many events', nodes: chain() });
    const empty = await service.post('/v1/workflows', { name: 'three events' });
    const rows: Deliveries[] = [];
    for (const sockets of SOCKETS) {
      const hello = (index: number): string => helloOf(keys, index);
      const own = await measured(service.server.url, sockets, hello, 1, () =>
        service.post(`/v1/workflows/${workflow.id}/executions`, {}),
      );
      const theirs = await measured(
        bare.url,
        sockets,
        () => null,
        0,
        () => fetch(bare.url, { method: 'POST', body: JSON.stringify({ events: EVENTS, bytes: FILLER }) }),
      );
      const ownP99 = await paced(service.server.url, sockets, hello, 1, () =>
        service.post(`/v1/workflows/${empty.id}/executions`, {}),
      );
      const theirP99 = await paced(
        bare.url,
        sockets,
        () => null,
        0,
        () => fetch(bare.url, { method: 'POST', body: JSON.stringify({ events: FEW, bytes: FILLER }) }),
      );
      rows.push({
        sockets,
        service_per_second: own,
        bare_per_second: theirs,
        ratio: round(own / theirs),
        service_p99_ms: ownP99,
        bare_p99_ms: theirP99,
      });
    }
    return rows;
  } finally {
    await bare.stop();
    await service.stop();
  }
}

/** Median of deliveries a second over several rounds, after one to warm up. */
async function measured(
  url: string,
  sockets: number,
  hello: (index: number) => string | null,
  answers: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const readers = await openReaders(url, sockets, hello, answers);
  try {
    const rates: number[] = [];
    for (let index = 0; index <= ROUNDS; index += 1) {
      const arrival = readers.received(EVENTS);
      await send();
      const ms = await arrival;
      if (index > 0) rates.push((EVENTS * sockets * 1_000) / ms);
    }
    return Math.round(rates.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0);
  } finally {
    readers.close();
  }
}

/** 99th percentile of the time to the last socket, in milliseconds, one request after the other. */
async function paced(
  url: string,
  sockets: number,
  hello: (index: number) => string | null,
  answers: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const readers = await openReaders(url, sockets, hello, answers);
  try {
    const times: number[] = [];
    for (let index = 0; index < PACED; index += 1) {
      const arrival = readers.received(FEW);
      await send();
      times.push(await arrival);
    }
    return round(times.sort((a, b) => a - b)[Math.floor(PACED * 0.99)] ?? 0);
  } finally {
    readers.close();
  }
}

function chain(): readonly object[] {
  return Array.from({ length: NODES }, (_, index) => ({
    id: `n${index}`,
    type: 'set',
    needs: index === 0 ? [] : [`n${index - 1}`],
    with: { value: index },
  }));
}
