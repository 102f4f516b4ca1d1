/** W5: the service sends events to 1, 100 and 1,000 sockets, compared with a bare `ws` server. */
import { withBareSockets } from './bound-process.ts';
import { inRounds, median, quantile, round } from './load.ts';
import { startService } from './service.ts';
import { sized } from './size.ts';
import { helloOf, makeKeys, SOCKETS_A_KEY } from './socket-keys.ts';
import { openReaders } from './socket-readers.ts';

const SOCKETS = [1, 100, sized(1_000, 200)];
/** Number of nodes of an execution. Each node creates two events, and the execution itself creates three more. */
const NODES = 400;
const EVENTS = 3 + 2 * NODES;
/** Durations of the warm-up and the measurement in milliseconds. V8 optimizes the code during the warm-up. */
const MS = { warmUp: sized(2_000, 200), measured: sized(3_000, 200) };
/** Number of times that the replay of past events to one socket is measured. */
const REPLAYS = sized(20, 2);
/** Number of events of an execution that has no nodes. */
const FEW = 3;
const PACED = sized(500, 20);
/** Length of the payload in messages of the reference server, which makes them as long as events of the service. */
const FILLER = 470;

interface Deliveries {
  readonly sockets: number;
  readonly service_per_second: number;
  readonly bare_per_second: number;
  readonly ratio: number;
  /**
   * 99th percentile of the milliseconds from the request that starts an execution until all sockets have received the
   * three events of the execution.
   */
  readonly service_p99_ms: number;
  readonly bare_p99_ms: number;
}

interface Replayed {
  readonly sockets: 1;
  /** Number of past events that are replayed to the socket. */
  readonly replayed: number;
  readonly service_per_second: number;
  readonly bare_per_second: number;
  readonly ratio: number;
}

interface Side {
  readonly url: string;
  readonly hello: (index: number) => string | null;
  /** Number of messages that the server sends when a socket has sent its first message, `hello`. */
  readonly answers: number;
  make(events: number): Promise<unknown>;
}

export async function deliveries(): Promise<readonly (Deliveries | Replayed)[]> {
  const service = await startService();
  try {
    return await withBareSockets(async (bare) => {
      const keys = makeKeys(service, Math.ceil(Math.max(...SOCKETS) / SOCKETS_A_KEY));
      const workflow = await service.post('/v1/workflows', { name: 'many events', nodes: nodes() });
      const empty = await service.post('/v1/workflows', { name: 'three events' });
      const own: Side = {
        url: service.server.url,
        hello: (index) => helloOf(keys, index),
        answers: 1,
        make: (events) =>
          service.post(`/v1/workflows/${events === FEW ? empty.id : workflow.id}/executions`, {}),
      };
      const theirs: Side = {
        url: bare.url,
        hello: () => null,
        answers: 0,
        make: (events) =>
          fetch(bare.url, { method: 'POST', body: JSON.stringify({ events, bytes: FILLER }) }),
      };
      const rows: Deliveries[] = [];
      for (const sockets of SOCKETS)
        rows.push(
          await inRounds(async () => {
            const service_per_second = await measured(own, sockets);
            const bare_per_second = await measured(theirs, sockets);
            return {
              sockets,
              service_per_second,
              bare_per_second,
              ratio: round(service_per_second / bare_per_second),
              service_p99_ms: await paced(own, sockets),
              bare_p99_ms: await paced(theirs, sockets),
            };
          }),
        );
      return [...rows, await replayed(own, theirs, keys[0] ?? '')];
    });
  } finally {
    await service.stop();
  }
}

/** Measures how fast a server replays past events to one socket, without other load. */
async function replayed(own: Side, theirs: Side, key: string): Promise<Replayed> {
  // Number of past events to replay. The measurements before this one have created at least this number on both
  // servers.
  const events = EVENTS * 5;
  const hello = JSON.stringify({ type: 'auth', token: key, resume_from: '0' });
  const rate = async (url: string, first: string, messages: number): Promise<number> => {
    const times: number[] = [];
    for (let index = -1; index < REPLAYS; index += 1) {
      const begun = performance.now();
      const readers = await openReaders(url, 1, () => first, messages);
      if (index >= 0) times.push(performance.now() - begun);
      readers.close();
    }
    return Math.round((events * 1_000) / median(times, (ms) => ms));
  };
  const service_per_second = await rate(own.url, hello, events + own.answers);
  const bare_per_second = await rate(theirs.url, 'all', events);
  return {
    sockets: 1,
    replayed: events,
    service_per_second,
    bare_per_second,
    ratio: round(service_per_second / bare_per_second),
  };
}

/**
 * Measures how many events per second all sockets together receive. A request is sent only after the events of the
 * previous request have arrived.
 */
async function measured({ url, hello, answers, make }: Side, sockets: number): Promise<number> {
  const readers = await openReaders(url, sockets, hello, answers);
  const during = async (ms: number): Promise<number> => {
    const begun = performance.now();
    let made = 0;
    let elapsed = 0;
    while (elapsed < ms) {
      const arrival = readers.received(EVENTS);
      await make(EVENTS);
      await arrival;
      made += EVENTS * sockets;
      elapsed = performance.now() - begun;
    }
    return (made * 1_000) / elapsed;
  };
  try {
    await during(MS.warmUp);
    return Math.round(await during(MS.measured));
  } finally {
    readers.close();
  }
}

/**
 * Returns the 99th percentile of the milliseconds from a request until the last socket has received all events of the
 * request.
 */
async function paced({ url, hello, answers, make }: Side, sockets: number): Promise<number> {
  const readers = await openReaders(url, sockets, hello, answers);
  try {
    const times: number[] = [];
    for (let index = 0; index < PACED; index += 1) {
      const arrival = readers.received(FEW);
      await make(FEW);
      times.push(await arrival);
    }
    return round(quantile(times, 0.99));
  } finally {
    readers.close();
  }
}

/**
 * Returns nodes without dependencies, which run in parallel. A long chain of nodes would mostly measure the engine
 * instead of the sockets.
 */
function nodes(): readonly object[] {
  return Array.from({ length: NODES }, (_, index) => ({
    id: `n${index}`,
    type: 'set',
    with: { value: index },
  }));
}
