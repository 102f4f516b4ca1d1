/**
 * HTTP server of a benchmark program. It uses bare `node:http`, which adds almost no cost to the work of the engine.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Input } from './work.ts';

export interface Program {
  /**
   * Request handlers by path. The handler of `/leave` returns when the work is queued; all other handlers return the
   * output of the work.
   */
  readonly routes: Readonly<Record<string, (input: Input) => Promise<unknown>>>;
  completed(): number;
  stop(): Promise<unknown>;
}

/** Starts an HTTP server on a free port and prints its URL. */
export function listen({ routes, completed, stop }: Program): void {
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/completed') {
      answer(200, completed());
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const route = routes[request.url ?? ''];
      if (route === undefined) {
        answer(404, null);
        return;
      }
      route(JSON.parse(Buffer.concat(chunks).toString()) as Input).then(
        (output) => answer(200, output),
        (error: unknown) => answer(500, String(error)),
      );
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
  });
  process.once('SIGTERM', () => {
    server.close();
    server.closeAllConnections();
    void stop().then(() => process.exit(0));
  });
}
