import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server that the nodes of chaos tests call. The server counts the calls with each idempotency key. */
export class Effects {
  readonly calls = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  /** @param answerMs response time of each call, in milliseconds */
  static async start(answerMs: number): Promise<Effects> {
    const server = createServer();
    // Idle connections stay open. On a busy machine, a call could otherwise arrive just as the server closes the
    // connection. The call would then fail without a fault of the service.
    server.keepAliveTimeout = 0;
    const effects = new Effects(server);
    server.on('request', (request, response) => {
      const key = String(request.headers['idempotency-key']);
      effects.calls.set(key, (effects.calls.get(key) ?? 0) + 1);
      request.resume();
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
        answerMs,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return effects;
  }

  /** Host and port of this server, for the setting `EGRESS_ALLOW`, which lists the addresses that nodes may call. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Number of repeated calls: calls with an idempotency key that an earlier call already had. */
  get repeated(): number {
    return [...this.calls.values()].reduce((sum, count) => sum + count - 1, 0);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
