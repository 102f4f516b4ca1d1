import { setTimeout as pause } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { WebSocket } from 'ws';
import { type Receiver, respondJson, startReceiver } from './receiver.ts';
import type { BenchedService } from './service.ts';
import { THREE_STEPS } from './three-steps.ts';

/**
 * Starts the HTTP server that the nodes of the workflows call. Every fifth response is an error, so that nodes are
 * retried.
 */
export function startWorld(): Promise<Receiver> {
  return startReceiver((response, count) =>
    respondJson(response, count % 5 === 0 ? 503 : 200, { text: 'x'.repeat(2_048) }),
  );
}

export interface MixedLoad {
  readonly done: Readonly<Record<string, number>>;
  /** Number of failed iterations and the first error, by activity. */
  readonly faults: Readonly<Record<string, Fault>>;
  /**
   * Number of iterations that were skipped because too many were running, by activity. It is above 0 only if the
   * machine is too slow for the load.
   */
  readonly left_out: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

interface Fault {
  readonly times: number;
  readonly first: string;
}

/**
 * Limits how many iterations of an activity run at the same time: as many as the activity starts in 5 seconds at mean
 * load.
 */
const MAX_BACKLOG_SECONDS = 5;
const CONNECTIONS = 64;

interface Activity {
  /** Number of iterations that start per second at mean load. */
  readonly rate: number;
  readonly once: () => Promise<unknown>;
}

/**
 * @param intensity current factor for the rates
 * @param world address of the server that workflows call
 */
export async function startLoad(
  service: BenchedService,
  world: string,
  intensity: () => number,
): Promise<MixedLoad> {
  const client = clientOf(service);
  const activities = await activitiesOf(client, world);
  const done: Record<string, number> = {};
  const faults: Record<string, Fault> = {};
  const stopping = new AbortController();
  const left_out: Record<string, number> = {};
  const loops = Object.entries(activities).map(async ([name, { rate, once }]) => {
    const under = new Set<Promise<void>>();
    const turn = (): void => {
      if (under.size >= Math.ceil(rate * MAX_BACKLOG_SECONDS)) {
        left_out[name] = (left_out[name] ?? 0) + 1;
        return;
      }
      const one = once().then(
        () => void (done[name] = (done[name] ?? 0) + 1),
        (error: unknown) => {
          const { times, first } = faults[name] ?? { times: 0, first: causeOf(error) };
          faults[name] = { times: times + 1, first };
        },
      );
      under.add(one);
      void one.then(() => under.delete(one));
    };
    while (!stopping.signal.aborted) {
      turn();
      await pause(1_000 / (rate * intensity()), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    }
    await Promise.all(under);
  });
  return {
    done,
    faults,
    left_out,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
      await client.connections.close();
    },
  };
}

/** Formats an error together with its cause, because the message of a `fetch` error does not contain the cause. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error
    ? `${error.message}: ${error.cause.message}`
    : String(error);
}

type Client = ReturnType<typeof clientOf>;

function clientOf(service: BenchedService) {
  const { url } = service.server;
  const connections = new Agent({ connections: CONNECTIONS });
  const send = async <T>(method: string, path: string, body?: unknown, key?: string): Promise<T> => {
    const response = await fetch(url + path, {
      method,
      dispatcher: connections,
      headers: {
        ...(key === undefined ? service.headers : { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return { url, connections, authorization: service.headers['authorization'] ?? '', send };
}

interface Made {
  readonly id: string;
}

async function activitiesOf(client: Client, world: string): Promise<Readonly<Record<string, Activity>>> {
  const { send } = client;
  const workflow = async (name: string, nodes: readonly object[]): Promise<string> =>
    (await send<Made>('POST', '/v1/workflows', { name, nodes })).id;
  const start = (id: string, input: unknown = { n: 1 }, wait = ''): Promise<Made> =>
    send<Made>('POST', `/v1/workflows/${id}/executions${wait}`, { input });
  const waited = '?wait=30';

  const short = await workflow('short', THREE_STEPS);
  const sleeping = await workflow('sleeping', [{ id: 'nap', type: 'delay', with: { seconds: 8 } }]);
  const asleep = await workflow('asleep', [{ id: 'nap', type: 'delay', with: { seconds: 600 } }]);
  const signal = await workflow('signal', [
    { id: 'paid', type: 'wait', with: { signal: 'payment', timeout_seconds: 30 } },
    { id: 'note', type: 'set', with: { value: '{{ nodes.paid.output }}' } },
  ]);
  const each = await workflow('foreach', [
    {
      id: 'each',
      type: 'foreach',
      with: {
        items: '{{ input }}',
        nodes: [{ id: 'twice', type: 'set', with: { value: '{{ item * 2 }}' } }],
      },
    },
  ]);
  const calling = await workflow('calls that fail now and then', [
    {
      id: 'call',
      type: 'http',
      with: { url: `http://${world}/` },
      retry: { max_attempts: 3, backoff: 'exponential', initial_delay_ms: 200 },
    },
  ]);
  const failing = await workflow('fails in the end', [
    {
      id: 'call',
      type: 'http',
      with: { url: `http://${world}/`, accept_status: [418] },
      retry: { max_attempts: 3, backoff: 'fixed', initial_delay_ms: 100 },
    },
  ]);
  const parent = await workflow('parent', [
    { id: 'child', type: 'workflow', with: { workflow_id: short, input: { n: '{{ input.n }}' } } },
  ]);
  const computing = await workflow('code and transform', [
    { id: 'code', type: 'code', with: { input: '{{ input }}', source: 'return { n: input.n + 1 };' } },
    {
      id: 'transform',
      type: 'transform',
      with: { input: '{{ nodes.code.output }}', expression: '{ "n": n * 2 }' },
    },
  ]);

  return {
    short: { rate: 20, once: () => start(short) },
    'short, waited for': { rate: 10, once: () => start(short, { n: 2 }, waited) },
    sleeping: { rate: 3, once: () => start(sleeping) },
    signal: {
      rate: 3,
      once: async () => {
        const { id } = await start(signal);
        await pause(500);
        await send('POST', `/v1/executions/${id}/signals/payment`, { payload: { amount: 1 } });
      },
    },
    foreach: {
      rate: 1,
      once: () =>
        start(
          each,
          Array.from({ length: 50 }, (_, n) => n),
        ),
    },
    http: { rate: 4, once: () => start(calling, {}, waited) },
    failing: { rate: 2, once: () => start(failing) },
    children: { rate: 3, once: () => start(parent, { n: 1 }, waited) },
    code: { rate: 1, once: () => start(computing, { n: 1 }, waited) },
    cancelled: {
      rate: 2,
      once: async () => {
        const { id } = await start(asleep);
        await pause(300);
        await send('POST', `/v1/executions/${id}/cancel`, {});
      },
    },
    paused: {
      rate: 0.5,
      once: async () => {
        const { id } = await start(asleep);
        await send('POST', `/v1/executions/${id}/pause`, {});
        await send('POST', `/v1/executions/${id}/resume`);
        await send('POST', `/v1/executions/${id}/cancel`, {});
      },
    },
    socket: { rate: 2, once: () => readSocket(client, short) },
    stream: { rate: 1, once: () => readStream(client) },
    lists: {
      rate: 5,
      once: async () => {
        const { data } = await send<{ readonly data: readonly Made[] }>('GET', '/v1/executions?limit=20');
        await send('GET', '/v1/executions?status=failed&limit=5');
        await send('GET', '/v1/executions/stats');
        const [first] = data;
        if (first === undefined) return;
        await send('GET', `/v1/executions/${first.id}`);
        await send('GET', `/v1/executions/${first.id}/nodes`);
        await send('GET', `/v1/executions/${first.id}/explain`);
        await send('GET', `/v1/executions/${first.id}/events`);
      },
    },
    keys: {
      rate: 1,
      once: async () => {
        const { id, key } = await send<Made & { readonly key: string }>('POST', '/v1/keys', {
          name: 'mixed',
        });
        await send('GET', '/v1/workflows', undefined, key);
        await send('DELETE', `/v1/keys/${id}`);
      },
    },
    workflows: {
      rate: 0.5,
      once: async () => {
        const id = await workflow('changed', THREE_STEPS);
        await start(id, { n: 1 }, waited);
        await send('PATCH', `/v1/workflows/${id}`, { description: 'A changed description.' });
        await send('DELETE', `/v1/workflows/${id}`);
      },
    },
    sessions: {
      rate: 0.5,
      once: async () => {
        const { id } = await send<Made>('POST', '/v1/sessions', {});
        await send('POST', `/v1/workflows/${short}/executions${waited}`, { input: { n: 1 }, session_id: id });
        await send('POST', `/v1/sessions/${id}/close`);
      },
    },
  };
}

/** Activity: starts an execution, reads its events from a socket and disconnects, with or without a close handshake. */
async function readSocket({ url, authorization, send }: Client, workflow: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
  const stays = 1_000 + Math.random() * 4_000;
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', (code) =>
      reject(new Error(`The service closed the WebSocket with the code ${code}.`)),
    );
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'auth', token: authorization.replace('Bearer ', '') })),
    );
    let messages = 0;
    socket.on('message', () => {
      messages += 1;
      if (messages === 1)
        send('POST', `/v1/workflows/${workflow}/executions`, { input: { n: 1 } }).catch(reject);
      if (messages === 4) resolve();
    });
  });
  await pause(stays);
  socket.removeAllListeners('close').on('error', () => undefined);
  if (stays > 3_000) socket.terminate();
  else socket.close();
}

/** Activity: reads server-sent events and aborts the request before the stream ends. */
async function readStream({ url, connections, authorization }: Client): Promise<void> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/v1/events?after=0`, {
    headers: { authorization, accept: 'text/event-stream' },
    signal: leaving.signal,
    dispatcher: connections,
  });
  if (!response.ok || response.body === null) throw new Error(`/v1/events returned ${response.status}`);
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  await reader.read();
  await reader.read();
  leaving.abort();
}
