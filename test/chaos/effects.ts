import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the executions of a chaos run do to the outside: how often each idempotency key came there. */
export class Effects {
  readonly calls = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  /** @param answerMs how long each call takes */
  static async start(answerMs: number): Promise<Effects> {
    const server = createServer();
    // It never closes an idle connection: on a busy machine a call could meet that, and fail, as it may.
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

  /** For `EGRESS_ALLOW`. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Calls that came again under a key that had been there. */
  get repeated(): number {
    return [...this.calls.values()].reduce((sum, count) => sum + count - 1, 0);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
