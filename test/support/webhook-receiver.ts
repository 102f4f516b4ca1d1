import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of a webhook as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // The tests read different fields of the events.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly event: any;
}

export type Responder = (response: ServerResponse, request: Received) => void;

/** A response with success. */
export const accept: Responder = (response) => void response.writeHead(204).end();

/** An endpoint for webhooks that records requests. The test defines the responses. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Sends the response to each request. By default, every request succeeds. */
  respond: Responder = accept;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const parsed = JSON.parse(body) as { readonly data?: unknown; readonly specversion?: string };
        const event = parsed.specversion === undefined ? parsed : parsed.data;
        const received = { path: request.url ?? '', headers: request.headers, body, event };
        receiver.received.push(received);
        receiver.respond(response, received);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** Address for `EGRESS_ALLOW`. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  url(path = '/events'): string {
    return `http://${this.address}${path}`;
  }

  /** Requests that arrived at a path. */
  at(path: string): readonly Received[] {
    return this.received.filter((one) => one.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
