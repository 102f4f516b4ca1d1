import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server to which the measured service sends requests: webhooks, spans, or calls of `http` nodes. */
export interface Receiver {
  /** Host and port, for `EGRESS_ALLOW`. */
  readonly address: string;
  readonly url: string;
  /** Number of requests received so far. */
  count(): number;
  stop(): void;
}

/**
 * @param respond sends the response to a request; gets the number of requests so far. By default, it sends 200 and an
 * empty JSON object
 */
export async function startReceiver(
  respond: (response: ServerResponse, count: number) => void = (response) => respondJson(response, 200, {}),
): Promise<Receiver> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      count += 1;
      respond(response, count);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    url: `http://${address}`,
    count: () => count,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function respondJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
