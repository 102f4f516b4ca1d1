import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Simulates the external systems of the examples: a shop, payments, regional sales, a slow job, a chat model, pages of
 * an import, billing.
 */
export interface World {
  /** For `EGRESS_ALLOW`, for example `127.0.0.1:4000`. */
  readonly address: string;
  /** Every request so far, for example `POST /reservations`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

type Answer = { readonly status: number; readonly body: unknown };
type Call = {
  readonly path: string;
  /** The header, empty if there is none. */
  readonly authorization: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly times: number;
};

/** The only key that the billing service accepts. */
export const BILLING_KEY = 'sk_test_billing_2026';

const SALES: Readonly<Record<string, number>> = { north: 1200, south: 800, east: 450, west: 50 };

/** Asked this often, the job is done. */
const JOB_DONE_AFTER = 3;

const ROUTES: Readonly<Record<string, (call: Call) => Answer>> = {
  'POST /reservations': ({ body }) => ok({ id: `r-${String(body['sku'])}` }, 201),
  'DELETE /reservations': () => ok({ released: true }),
  'POST /payments': ({ body }) =>
    body['card'] === 'declined' ? ok({ reason: 'The card was declined.' }, 402) : ok({ id: 'p-1' }, 201),
  'POST /shipments': () => ok({ tracking: 'T-4711' }, 201),
  'POST /bookings': () => ok({ booked: true }, 201),
  'POST /messages': () => ok({ sent: true }, 202),
  'GET /sales': ({ path }) => ok({ total: SALES[path.split('/').at(-1) ?? ''] ?? 0 }),
  'POST /jobs': () => ok({ id: 'job-1' }, 202),
  'GET /jobs': ({ times }) =>
    times < JOB_DONE_AFTER ? ok({ state: 'running' }, 202) : ok({ state: 'done', rows: 42 }),
  'POST /chat': ({ body }) => ok({ text: `You said: ${String(body['message'])}` }),
  'POST /invoices': ({ authorization, body }) =>
    authorization === `Bearer ${BILLING_KEY}`
      ? ok({ id: 'inv-1', amount: body['amount'] }, 201)
      : ok({ error: 'The key is not valid.' }, 401),
  'GET /pages': ({ path }) =>
    path.endsWith('/2') ? ok({ error: 'broken page' }, 500) : ok({ rows: [{ n: 1 }, { n: 2 }] }),
};

function ok(body: unknown, status = 200): Answer {
  return { status, body };
}

/** Starts the server on loopback. @param port 0 selects a free port */
export async function startWorld(port: number): Promise<World> {
  const requests: string[] = [];
  const server = createServer((request, response) => void answer(request, response, requests));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => closed(server),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, requests: string[]): Promise<void> {
  const path = request.url ?? '/';
  const line = `${request.method ?? 'GET'} ${path}`;
  requests.push(line);
  const route = ROUTES[`${request.method ?? 'GET'} /${path.split('/')[1] ?? ''}`];
  const authorization = request.headers.authorization ?? '';
  const body = await read(request);
  const times = requests.filter((earlier) => earlier === line).length;
  const { status, body: sent } =
    route === undefined ? ok({}, 404) : route({ path, authorization, body, times });
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
}

async function read(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

if (process.argv[1] === import.meta.filename) {
  const world = await startWorld(Number(process.env['WORLD_PORT'] ?? 4000));
  process.stdout.write(`The simulated external systems are running at http://${world.address}\n`);
}
