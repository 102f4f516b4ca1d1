/** The HTTP side of a program that is measured: bare `node:http`, so that it costs the peer next to nothing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Input } from './work.ts';

export interface Program {
  /** Paths that run something to its end and answer what came out; `/leave` answers once it is accepted. */
  readonly routes: Readonly<Record<string, (input: Input) => Promise<unknown>>>;
  /** Executions that came to their end, ever. */
  completed(): number;
  stop(): Promise<unknown>;
}

/** Listens on a free port and says which on a line of its own. */
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
