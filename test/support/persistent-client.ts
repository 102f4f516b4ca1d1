import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A response of the service. */
export interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

/** Delay between connection attempts, in milliseconds. */
const RETRY_MS = 20;

/** A client that retries only refused connections. */
export class PersistentClient {
  private readonly agent: Agent;

  constructor(
    private readonly url: string,
    private readonly key: string,
    { keepAlive }: { readonly keepAlive: boolean },
  ) {
    this.agent = new Agent({ keepAlive, maxSockets: 1 });
  }

  /** @throws Error when the response is incomplete */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    for (;;)
      try {
        return await this.callOnce(method, path, body);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
        await pause(RETRY_MS);
      }
  }

  close(): void {
    this.agent.destroy();
  }

  private callOnce(method: string, path: string, body: unknown): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.key}`,
      ...(text !== undefined && { 'content-type': 'application/json' }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.url + path, { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
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
