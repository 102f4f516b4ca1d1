import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from './demo-workflow.js';

/**
 * Delay of a slow response in milliseconds, if the demo runs at normal speed. The delay leaves a user enough
 * time to kill the server.
 */
const SLOW_MS = 1_500;

/**
 * HTTP server that the nodes of the demo workflow call. The response to the first request is an error, so that a node
 * is retried, and some responses are slow.
 */
export interface Shop {
  readonly port: number;
  readonly calls: () => number;
  readonly close: () => Promise<void>;
}

export async function openShop(pace: Pace): Promise<Shop> {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    void answer(request, response, calls === 1, SLOW_MS * pace);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    calls: () => calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  refuses: boolean,
  slowMs: number,
): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0];
  if (refuses) return send(response, 503, { error: 'not yet' });
  if (path === '/orders/4711') return send(response, 200, { id: '4711', sku: 'lamp', quantity: 3 });
  await sleep(slowMs);
  if (path === '/prices/lamp') return send(response, 200, { sku: 'lamp', unit_price: 19.5 });
  if (path === '/stock/lamp') return send(response, 200, { sku: 'lamp', in_stock: 12 });
  return send(response, 404, { error: 'unknown path' });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
