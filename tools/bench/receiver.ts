import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server that receives requests from the measured service. */
export interface Receiver {
  /** Host and port of the receiver. `EGRESS_ALLOW` must contain them. */
  readonly address: string;
  readonly url: string;
  count(): number;
  stop(): void;
}

/**
 * @param respond sends a response; gets the number of requests so far. Default: 200 and `{}`
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
