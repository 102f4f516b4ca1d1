import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { CannotListenError, listen } from './listen.js';

const HOST = '127.0.0.1';
const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

function newServer(): Server {
  const server = createServer();
  open.push(server);
  return server;
}

it('`listen` uses the next free port if `orNext` is true', async () => {
  const taken = await listen(newServer(), { host: HOST, port: 0, orNext: false });
  const server = newServer();
  const got = await listen(server, { host: HOST, port: taken, orNext: true });
  expect(got).toBeGreaterThan(taken);
  expect(got).toBeLessThanOrEqual(taken + 20);
  expect(server.address()).toMatchObject({ address: HOST, port: got });
});

it('the error of `listen` names a port that is in use', async () => {
  const taken = await listen(newServer(), { host: HOST, port: 0, orNext: false });
  await expect(listen(newServer(), { host: HOST, port: taken, orNext: false })).rejects.toEqual(
    new CannotListenError(
      `Port ${taken} of ${HOST} is used by another program. Stop it, or set PORT to another port.`,
    ),
  );
});

it('the error of `listen` names an address that does not belong to this machine', async () => {
  await expect(listen(newServer(), { host: '192.0.2.1', port: 0, orNext: true })).rejects.toThrow(
    'HOST "192.0.2.1" is not an address of this machine',
  );
});
