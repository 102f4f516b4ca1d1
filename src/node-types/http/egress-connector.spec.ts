import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { egressConnector, type Resolve } from './egress-connector.js';
import { EgressDeniedError, EgressPolicy } from './egress-policy.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/**
 * Starts a server that responds with the request's `Host` header.
 *
 * @returns the port of the server
 */
function echoHost(): Promise<number> {
  return serve(createServer((request, response) => void response.end(request.headers.host)));
}

function agent(allow: readonly string[], resolve: Resolve): Agent {
  const made = new Agent({ connect: egressConnector(new EgressPolicy(allow), resolve) });
  closers.push(() => made.destroy());
  return made;
}

async function get(from: Agent, origin: string): Promise<string> {
  const { body } = await from.request({ origin, path: '/', method: 'GET' });
  return body.text();
}

describe('egressConnector', () => {
  it('the egress connector connects to the address that it checked, and sends the host name of the URL', async () => {
    const port = await echoHost();
    const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    expect(await get(agent(['app.test'], resolve), `http://app.test:${port}`)).toBe(`app.test:${port}`);
  });

  it('the egress connector resolves the host name only once for each connection', async () => {
    const port = await echoHost();
    let asked = 0;
    // The resolver simulates a DNS rebinding attack: the second lookup returns an internal address.
    const resolve: Resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    await get(agent([`127.0.0.1:${port}`], resolve), `http://rebind.test:${port}`);
    expect(asked).toBe(1);
  });

  it('the egress connector refuses a host name if any of its addresses is denied', async () => {
    const port = await echoHost();
    const resolve: Resolve = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ];
    await expect(get(agent([`127.0.0.1:${port}`], resolve), `http://two.test:${port}`)).rejects.toThrow(
      EgressDeniedError,
    );
  });

  it('the egress connector tries the next address after an unreachable address', async () => {
    const port = await echoHost();
    const resolve: Resolve = async () => [
      { address: '127.0.0.3', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(await get(agent(['two.test'], resolve), `http://two.test:${port}`)).toBe(`two.test:${port}`);
  });

  it.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '0',
    '[::]',
    '①②⑦.0.0.1',
  ])('the egress connector does not resolve the literal address %s', async (literal) => {
    const port = await echoHost();
    const resolve: Resolve = () => Promise.reject(new Error('resolved'));
    const { origin } = new URL(`http://${literal}:${port}`);
    await expect(get(agent([], resolve), origin)).rejects.toThrow(EgressDeniedError);
  });

  it('the egress connector checks the addresses that the system resolver returns', async () => {
    const port = await echoHost();
    const made = new Agent({ connect: egressConnector(new EgressPolicy([])) });
    closers.push(() => made.destroy());
    await expect(get(made, `http://localhost:${port}`)).rejects.toThrow(EgressDeniedError);
  });

  it('the egress connector uses the default port of http or https if the URL contains no port', async () => {
    const resolve: Resolve = async () => [{ address: '127.0.0.9', family: 4 }];
    await expect(get(agent([], resolve), 'https://app.test')).rejects.toThrow('"app.test:443"');
    await expect(get(agent([], resolve), 'http://app.test')).rejects.toThrow('"app.test:80"');
    await expect(get(agent(['app.test:443'], resolve), 'https://app.test')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('the egress connector sends the host name as the TLS server name', async () => {
    let asked: string | undefined;
    const server = createTlsServer({
      SNICallback: (name, done) => {
        asked = name;
        done(new Error('no certificate'));
      },
    });
    const port = await serve(server);
    const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    await expect(get(agent(['app.test'], resolve), `https://app.test:${port}`)).rejects.toThrow();
    expect(asked).toBe('app.test');
  });
});
