import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';

const LIMIT = 8;

/** A TCP connection, with the text that the test has received so far. */
interface Line {
  readonly socket: Socket;
  readonly received: () => string;
  readonly isClosed: () => boolean;
}

let service: TestService;
let lines: Line[] = [];
beforeAll(async () => {
  service = await TestService.start({ environment: { MAX_UNAUTHENTICATED_CONNECTIONS: String(LIMIT) } });
});
afterAll(() => service?.stop());
afterEach(async () => {
  for (const { socket } of lines) socket.destroy();
  lines = [];
  await until('free connections under the limit', async () => !(await open('')).received().includes('429'));
  for (const { socket } of lines) socket.destroy();
  lines = [];
});

/** Opens a TCP connection to the service and sends the text. */
async function open(text: string): Promise<Line> {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  const line = { socket, received: () => received, isClosed: () => isClosed };
  lines.push(line);
  await new Promise((resolve) => socket.once('connect', resolve));
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve));
  return line;
}

const openMany = (count: number, text = ''): Promise<readonly Line[]> =>
  Promise.all(Array.from({ length: count }, () => open(text)));

const head = (more: readonly string[]): string =>
  ['GET /v1/users/me HTTP/1.1', 'Host: x', ...more, '', ''].join('\r\n');

const answered = (line: Line): Promise<unknown> => until('a response', () => line.received() !== '');

describe('connections from one address', () => {
  it('the service responds 429 to a connection from an address with too many unauthenticated connections', async () => {
    await openMany(LIMIT);
    const refused = await open(head([`Authorization: Bearer ${service.key}`]));
    await until('the close of the connection', refused.isClosed);
    expect(refused.received()).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(refused.received()).toMatch(/\r\nRetry-After: 1\r\n/);
    expect(refused.received().match(/HTTP\/1\.1/g)).toHaveLength(1);
    const [, body = ''] = refused.received().split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({
      error: { type: 'rate_limit_error', code: 'too_many_connections', retry_after: 1 },
    });
  });

  it('a closed connection no longer counts towards the limit of unauthenticated connections', async () => {
    const [first] = await openMany(LIMIT);
    first?.socket.destroy();
    await until('a free connection under the limit', async () => {
      const line = await open(head([]));
      await answered(line);
      return line.received().startsWith('HTTP/1.1 401');
    });
  });

  it('a connection no longer counts as unauthenticated after a request with a valid API key', async () => {
    const authenticated = await openMany(LIMIT, head([`Authorization: Bearer ${service.key}`]));
    await Promise.all(authenticated.map(answered));
    const more = await openMany(LIMIT, head([]));
    await Promise.all(more.map(answered));
    expect(more.map((line) => line.received().slice(0, 12))).toEqual(more.map(() => 'HTTP/1.1 401'));
  });

  it('a WebSocket counts as an unauthenticated connection until the service accepts its API key', async () => {
    const url = `${service.baseUrl.replace('http', 'ws')}/ws`;
    const sockets = Array.from({ length: LIMIT }, () => new WebSocket(url));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))));
    const refused = await open(head([]));
    await until('the close of the connection', refused.isClosed);
    expect(refused.received()).toMatch(/^HTTP\/1\.1 429 /);
    for (const socket of sockets) socket.send(JSON.stringify({ type: 'auth', token: service.key }));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('message', resolve))));
    const line = await open(head([]));
    await answered(line);
    expect(line.received()).toMatch(/^HTTP\/1\.1 401 /);
    for (const socket of sockets) socket.terminate();
  });
});

/**
 * Maximum time until the service must cut the connection of an incomplete request. It is longer than the time limits of
 * the service for headers and bodies, and shorter than the limit for a whole request (60 s).
 */
const CUT = { limitMs: 20_000 };

describe('an incomplete request', () => {
  it.each([
    ['headers', 'POST /v1/workflows HTTP/1.1\r\nHost: x\r\n'],
    [
      'a body',
      head(['Content-Type: application/json', 'Content-Length: 100']).replace('GET', 'POST') + '{"name"',
    ],
    [
      'a chunked body',
      head(['Content-Type: application/json', 'Transfer-Encoding: chunked']).replace('GET', 'POST') +
        '5\r\n{"nam',
    ],
    ['the body of a GET request', `${head(['Content-Length: 100'])}{"name"`],
  ])(
    'the service closes a connection within 20 seconds if the client stops sending halfway through %s',
    async (_name, text) => {
      const line = await open(text);
      await until('the end of the connection', line.isClosed, CUT);
    },
  );

  it('the service returns the error request_timeout if a request body arrives too slowly', async () => {
    const line = await open(
      head([
        `Authorization: Bearer ${service.key}`,
        'Content-Type: application/json',
        'Content-Length: 1000',
      ]).replace('GET /v1/users/me', 'POST /v1/workflows'),
    );
    const dripping = setInterval(() => line.socket.write(' '), 500);
    await until('the end of the connection', line.isClosed, CUT);
    clearInterval(dripping);
    expect(line.received()).toMatch(/^HTTP\/1\.1 400 /);
    expect(line.received()).toContain('"code":"request_timeout"');
  });
});
