import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook request that the receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // The type is `any`, because tests read many different fields of events.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly event: any;
}

export type Responder = (response: ServerResponse, request: Received) => void;

/** Responds with status 204, which means success. */
export const accept: Responder = (response) => void response.writeHead(204).end();

/** A test server that receives and records webhook requests. Tests define its responses. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Responds to each webhook request. The default response means success. */
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

  /** Host and port of this server, for the setting `EGRESS_ALLOW`. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  url(path = '/events'): string {
    return `http://${this.address}${path}`;
  }

  /** Returns the recorded requests for a path. */
  at(path: string): readonly Received[] {
    return this.received.filter((one) => one.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
