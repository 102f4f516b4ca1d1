import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HttpNodeFixture } from './http-node.fixture.js';
import type { HttpParameters } from './http-request.js';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok';

/**
 * Handles a request in the test server. `request` is the number of the request on its connection, and `connection` is
 * the number of that connection, from 1.
 */
type Behavior = (socket: Socket, request: number, connection: number) => void;

const fixture = new HttpNodeFixture();
beforeAll(() => fixture.start());
afterAll(() => fixture.stop());

const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Sends one request, so that the next request to the same server can reuse the connection. */
async function warmUp(parameters: HttpParameters): Promise<void> {
  await fixture.outputOf(parameters);
  await turn();
}

/** Starts a server that handles each request with `behavior`. */
async function serve(behavior: Behavior): Promise<{ readonly url: string; readonly received: string[] }> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const connection = sockets.size;
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      received.push(data.toString());
      requests += 1;
      behavior(socket, requests, connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({ server, sockets });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}

const endings: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['ends', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()],
];

describe('a request on a reused connection', () => {
  it.each(
    endings.flatMap(([how, end]) => (['GET', 'POST'] as const).map((method) => ({ how, end, method }))),
  )('a $method request is resent if the server $how a reused connection', async ({ end, method }) => {
    const { url, received } = await serve((socket, request, connection) =>
      request === 1 || connection > 1 ? socket.write(ANSWER) : end(socket),
    );
    const parameters = { url, method, ...(method === 'POST' ? { body: { n: 1 } } : {}) };
    await warmUp(parameters);
    expect(await fixture.outputOf(parameters)).toMatchObject({ status: 200, body: 'ok' });
    expect(received).toHaveLength(3);
    // The resent request is identical to the first request, so a server can recognize the repetition by its idempotency
    // key.
    expect(received[2]).toBe(received[1]);
    if (method === 'POST') expect(received[1]).toContain('idempotency-key: ');
  });

  it.each(endings)(
    'a request is not resent if the server %s the connection during the response',
    async (_, end) => {
      const { url, received } = await serve((socket, request) => {
        if (request === 1) socket.write(ANSWER);
        else socket.write('HTTP/1.1 200', () => end(socket));
      });
      await warmUp({ url });
      expect(await fixture.failureOf({ url, method: 'POST' })).toMatchObject({
        code: 'http_connection_error',
      });
      expect(received).toHaveLength(2);
    },
  );

  it.each(endings)('a request is not resent if the server %s a new connection', async (_, end) => {
    const { url, received } = await serve((socket) => end(socket));
    expect(await fixture.failureOf({ url, method: 'POST' })).toMatchObject({
      code: 'http_connection_error',
    });
    expect(received).toHaveLength(1);
  });
});
