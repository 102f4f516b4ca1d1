import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { CommitSignal } from './commit-signal.js';

/** Notified in the commits of `PostgresWriter` that give out positions. */
export const POSITIONS_CHANNEL = 'workflow_positions';

/** Between attempts to connect again. */
const RETRY_MS = 500;

/**
 * LISTEN on a connection of its own. When the connection was lost, there may have been commits that nobody told
 * of: after the next one the listener is called once, as after a commit.
 */
export class PostgresCommitSignal extends CommitSignal {
  private readonly logger = new Logger(PostgresCommitSignal.name);
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  /** @param own what this process's own commits carry: of those it need not hear */
  constructor(
    private readonly url: string,
    private readonly own: string,
  ) {
    super();
  }

  async listen(onCommit: () => void): Promise<void> {
    const client = new Client({ connectionString: this.url, keepAlive: true });
    let ended = false;
    const again = (error?: Error): void => {
      if (ended || this.closed) return;
      ended = true;
      this.logger.warn({ err: error }, 'The connection that hears of commits was lost; connecting again.');
      void discard(client);
      this.retry = setTimeout(() => void this.listenAgain(onCommit), RETRY_MS);
    };
    client.on('error', again).on('end', again);
    client.on('notification', ({ payload }) => {
      if (payload !== this.own) onCommit();
    });
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${POSITIONS_CHANNEL}`);
    } catch (error) {
      ended = true;
      await discard(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    if (this.client !== undefined) await discard(this.client);
  }

  private async listenAgain(onCommit: () => void): Promise<void> {
    if (this.closed) return;
    try {
      await this.listen(onCommit);
      onCommit();
    } catch {
      this.retry = setTimeout(() => void this.listenAgain(onCommit), RETRY_MS);
    }
  }
}

/** Ends a connection that may be broken already. */
async function discard(client: Client): Promise<void> {
  try {
    await client.end();
  } catch {
    // It was broken: there is nothing to end.
  }
}
