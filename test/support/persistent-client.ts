import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

/** Delay before a request is repeated, in milliseconds. */
const RETRY_MS = 20;

/**
 * Error codes after which a client may repeat a request: the server refused or closed the connection. The idempotency
 * key makes repeated `POST` requests safe.
 */
const RETRYABLE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

/** A client that repeats a request if the server refused the connection, or closed it before the response began. */
export class PersistentClient {
  private readonly agent: Agent;

  constructor(
    private readonly url: string,
    private readonly key: string,
    { keepAlive }: { readonly keepAlive: boolean },
  ) {
    this.agent = new Agent({ keepAlive, maxSockets: 1 });
  }

  /** @throws Error when the response is incomplete, because such a request must not be repeated */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const idempotencyKey = randomUUID();
    for (;;)
      try {
        return await this.callOnce(method, path, body, idempotencyKey);
      } catch (error) {
        if (!RETRYABLE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
        await pause(RETRY_MS);
      }
  }

  close(): void {
    this.agent.destroy();
  }

  private callOnce(method: string, path: string, body: unknown, idempotencyKey: string): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.key}`,
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.url + path, { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        // The client must not repeat this request, because the server accepted it and began the response.
        response.on('error', (error) => reject(new Error(`The response is incomplete: ${error.message}`)));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            connection: response.headers.connection,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }
}
