import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Records the effects of executions in chaos tests: the number of calls with each idempotency key. */
export class Effects {
  readonly calls = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  /** @param answerMs response time of each call, in milliseconds */
  static async start(answerMs: number): Promise<Effects> {
    const server = createServer();
    // Idle connections stay open: on a busy machine, a call could coincide with the close and fail without a fault of
    // the service.
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

  /** Address for `EGRESS_ALLOW`. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Number of calls that repeated an earlier idempotency key. */
  get repeated(): number {
    return [...this.calls.values()].reduce((sum, count) => sum + count - 1, 0);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
