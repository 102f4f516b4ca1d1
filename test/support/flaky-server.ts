import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse, call: number) => void;

/** A server that workflows call. A test defines the response for each path. */
export class FlakyServer {
  /** The times of the requests for each path, in epoch milliseconds. */
  readonly calls = new Map<string, number[]>();
  /** Paths of the requests whose client disconnected before it got the response. */
  readonly left: string[] = [];
  private readonly handlers = new Map<string, Handler>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FlakyServer> {
    const server = createServer();
    const flaky = new FlakyServer(server);
    server.on('request', (request, response) => flaky.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return flaky;
  }

  /** Host and port of this server, for the setting `EGRESS_ALLOW`. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  url(path: string): string {
    return `http://${this.address}${path}`;
  }

  on(path: string, handler: Handler): this {
    this.handlers.set(path, handler);
    return this;
  }

  count(path: string): number {
    return this.calls.get(path)?.length ?? 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    const calls = this.calls.get(path) ?? [];
    this.calls.set(path, calls);
    calls.push(Date.now());
    response.on('close', () => {
      if (!response.writableFinished) this.left.push(path);
    });
    const handler = this.handlers.get(path);
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response, calls.length);
  }
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
