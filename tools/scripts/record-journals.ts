/**
 * `node tools/scripts/record-journals.ts <checkout> <folder>`: records the journals of a release for compatibility
 * tests. Writes a compressed SQLite database, and `recorded.json` with the execution states that the release computes
 * from the journals.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';

const [, , checkout = '', folder = ''] = process.argv;
const dist = join(resolve(checkout), 'dist/src');
const directory = mkdtempSync(join(tmpdir(), 'workflow-journals-'));
const environment = {
  ...process.env,
  DATA_DIR: directory,
  HOST: '127.0.0.1',
  PORT: '0',
  DEFAULT_PLAN: 'enterprise',
  EGRESS_ALLOW: '127.0.0.1',
};

interface Executed {
  readonly id: string;
  readonly status: string;
}

/** Responses that the server has not sent: to all requests to `/never`, and to the first request to `/once`. */
const held: ServerResponse[] = [];
let asked = 0;
const world = createServer((request, response) => {
  const isHeld = request.url === '/never' || (request.url === '/once' && (asked += 1) === 1);
  if (isHeld) held.push(response);
  else response.setHeader('content-type', 'application/json').end('{"answer":42}');
}).listen(0, '127.0.0.1');
await once(world, 'listening');
const worldUrl = `http://127.0.0.1:${(world.address() as AddressInfo).port}`;

const bootstrap = execFileSync(
  process.execPath,
  [join(dist, 'cli/main.js'), 'bootstrap', '--email', 'test@example.com', '--json'],
  { env: environment },
);
const { key } = JSON.parse(bootstrap.toString()) as { readonly key: string };

let url = '';
async function start(): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [join(dist, 'main.js')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) {
    const [, found] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(String(chunk)) ?? [];
    if (found === undefined) continue;
    url = found;
    break;
  }
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function workflow(nodes: readonly object[], rest: object = {}): Promise<string> {
  const made = await call<Executed>('POST', '/v1/workflows', {
    name: nodes.map(({ id }: { readonly id?: string }) => id).join(' '),
    nodes,
    ...rest,
  });
  return made.id;
}

const executions: Record<string, string> = {};

/** Starts an execution, records its id under a name, and waits until the execution has the given status. */
async function record(
  name: string,
  status: string,
  workflowId: string,
  { input = {}, ...rest }: { readonly input?: unknown; readonly [field: string]: unknown } = {},
): Promise<string> {
  const { id } = await call<Executed>('POST', `/v1/workflows/${workflowId}/executions`, { input, ...rest });
  executions[name] = id;
  await reaches(id, status);
  return id;
}

async function reaches(id: string, status: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const execution = await call<Executed>('GET', `/v1/executions/${id}`);
    if (execution.status === status) return;
    if (tries === 300) throw new Error(`The execution ${id} is ${execution.status} instead of ${status}.`);
    await pause(50);
  }
}

const signal = (id: string, name: string, payload: unknown): Promise<void> =>
  call('POST', `/v1/executions/${id}/signals/${name}`, { payload });

const GO = { id: 'go', type: 'wait', with: { signal: 'go' } };
const HOUR = { config: { timeout_seconds: 3600 } };
const inTwentyMinutes = { scheduled_for: new Date(Date.now() + 1_200_000).toISOString() };

let kill = await start();
const session = await call<Executed>('POST', '/v1/sessions', {});
const serial = await call<Executed>('POST', '/v1/sessions', { concurrency: 'serial' });
const echo = await workflow([{ id: 'echo', type: 'set', with: { value: '{{ input }}' } }]);

// First group of recorded executions: executions that end.
const everything = await workflow([
  { id: 'set', type: 'set', with: { value: '{{ input.text }}' } },
  { id: 'transform', type: 'transform', with: { input: '{{ input }}', expression: '$length(text)' } },
  { id: 'code', type: 'code', with: { input: 20, source: 'console.log("Adds."); return input + 1;' } },
  { id: 'http', type: 'http', with: { method: 'GET', url: `${worldUrl}/answer` } },
  { id: 'delay', type: 'delay', with: { seconds: 0.05 } },
  { id: 'session', type: 'session', with: { set: { seen: true } } },
  { id: 'child', type: 'workflow', with: { workflow_id: echo, input: { from: 'parent' } } },
  GO,
  {
    id: 'foreach',
    type: 'foreach',
    with: {
      items: [1, 2, 3, 4],
      max_concurrency: 1,
      nodes: [
        { id: 'nap', type: 'delay', with: { seconds: 0.6 } },
        { id: 'double', type: 'set', needs: ['nap'], with: { value: '{{ item * 2 }}' } },
      ],
    },
  },
  { id: 'fail', type: 'fail', on_error: 'continue', with: { message: 'On purpose.' } },
  {
    id: 'again',
    type: 'http',
    on_error: 'continue',
    retry: { max_attempts: 2, backoff: 'fixed', initial_delay_ms: 10 },
    with: { method: 'GET', url: 'http://127.0.0.1:9/' },
  },
  { id: 'skipped', type: 'set', if: 'false', with: { value: 1 } },
  { id: 'after', type: 'set', needs: ['skipped'], with: { value: '{{ nodes.skipped.output }}' } },
]);
const long = { text: 'long '.repeat(5_000) };
const whole = await record('everything', 'waiting', everything, { input: long, session_id: session.id });
await signal(whole, 'go', { paid: true });
await reaches(whole, 'completed');
const failing = await workflow([
  { id: 'kept', type: 'set', with: { value: 7 } },
  { id: 'stop', type: 'fail', needs: ['kept'], with: { message: 'It ends here.' } },
]);
const failed = await record('failed', 'failed', failing);
const retried = await call<Executed>('POST', `/v1/executions/${failed}/retry`);
executions['retry'] = retried.id;
await reaches(retried.id, 'failed');
const nap = { id: 'nap', type: 'delay', with: { seconds: 30 } };
await record('timed_out', 'timed_out', await workflow([nap], { config: { timeout_seconds: 1 } }));
const cancelled = await record('cancelled', 'waiting', await workflow([GO]));
await call('POST', `/v1/executions/${cancelled}/cancel`, { reason: 'Not needed.' });
await reaches(cancelled, 'cancelled');

// The service is killed while its `http` node waits for the first response of `/once`. After the restart, the recovered
// execution runs the node again.
const once_ = { id: 'call', type: 'http', with: { method: 'GET', url: `${worldUrl}/once` } };
const recovered = await record('recovered', 'running', await workflow([once_]));
while (held.length === 0) await pause(20);
await kill();
kill = await start();
await reaches(recovered, 'completed');

// Second group of recorded executions: executions that stay suspended.
await record('signal', 'waiting', await workflow([GO], HOUR));
const approval = { signal: 'decision', approval: { title: 'Pay?', description: 'An invoice.' } };
await record('approval', 'waiting', await workflow([{ id: 'ask', type: 'wait', with: approval }], HOUR));
await record('timer', 'waiting', await workflow([{ ...nap, with: { seconds: 1_500 } }], HOUR));
const waits = await workflow([GO], { ...HOUR, name: 'waits' });
await record(
  'child',
  'waiting',
  await workflow([{ id: 'child', type: 'workflow', with: { workflow_id: waits } }], HOUR),
);
const paused = await record('paused', 'waiting', await workflow([GO], HOUR));
await call('POST', `/v1/executions/${paused}/pause`, { reason: 'Lunch.' });
const resumed = await record('resumed', 'waiting', await workflow([GO], HOUR));
await call('POST', `/v1/executions/${resumed}/pause`);
await call('POST', `/v1/executions/${resumed}/resume`);
await reaches(resumed, 'waiting');
await record('scheduled', 'queued', echo, inTwentyMinutes);
const early = await record('paused_before_start', 'queued', echo, inTwentyMinutes);
await call('POST', `/v1/executions/${early}/pause`);
await reaches(early, 'paused');
const refused = {
  id: 'refused',
  type: 'http',
  on_error: 'continue',
  retry: { max_attempts: 2, backoff: 'fixed', initial_delay_ms: 1_200_000, jitter: false },
  with: { method: 'GET', url: 'http://127.0.0.1:9/' },
};
await record('retrying', 'waiting', await workflow([refused], HOUR));
const items = {
  id: 'each',
  type: 'foreach',
  with: {
    items: ['a', 'b', 'c'],
    max_concurrency: 2,
    nodes: [{ id: 'go', type: 'wait', with: { signal: 'item' } }],
  },
};
const loop = await record('loop', 'waiting', await workflow([items], HOUR));
await signal(loop, 'item', 'first');
await pause(1_000);
await reaches(loop, 'waiting');
const single = await workflow([GO], { config: { timeout_seconds: 3600, max_running: 1 } });
await record('admitted', 'waiting', single);
await record('parked', 'queued', single);
await record('turn', 'waiting', waits, { session_id: serial.id });
await record('next_turn', 'queued', waits, { session_id: serial.id });
const never = {
  id: 'call',
  type: 'http',
  on_error: 'continue',
  with: { method: 'GET', url: `${worldUrl}/never` },
};
const before = held.length;
await record('crashed', 'running', await workflow([never], HOUR));
while (held.length === before) await pause(20);
await kill();
world.closeAllConnections();
world.close();

const { fold } = (await import(pathToFileURL(join(dist, 'engine/index.js')).href)) as {
  fold(events: readonly object[]): { readonly nodes: Iterable<unknown> };
};
const { decodeBodies } = (await import(pathToFileURL(join(dist, 'journal/batch.js')).href)) as {
  decodeBodies(bodies: string): readonly object[];
};
const database = new Database(join(directory, 'workflow.sqlite'));
database.pragma('wal_checkpoint(TRUNCATE)');
database.pragma('journal_mode = DELETE');
database.exec('VACUUM');
const bodies = database.prepare(
  `SELECT group_concat(body, ',') AS bodies FROM
    (SELECT body FROM journal WHERE execution_id = ? ORDER BY first_sequence)`,
);
const states = Object.fromEntries(
  Object.entries(executions).map(([name, id]) => {
    const read = bodies.get(id) as { readonly bodies: string };
    const state = fold(decodeBodies(read.bodies));
    return [name, { id, state: { ...state, nodes: [...state.nodes] } }];
  }),
);
const data = database.serialize();
database.close();
rmSync(directory, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'database.sqlite.gz'), gzipSync(data, { level: 9 }));
const recorded = { recorded_at: new Date().toISOString(), key, executions: states };
writeFileSync(join(folder, 'recorded.json'), `${JSON.stringify(recorded, null, 2)}\n`);
process.stdout.write(`${Object.keys(states).length} executions are recorded in ${folder}.\n`);
