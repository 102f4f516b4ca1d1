import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { Writer } from '../storage/index.js';
import { SecretsRepository } from './secrets.repository.js';

/** Minimum milliseconds between two updates of the column `last_used_at` of a secret. */
const INTERVAL_MS = 60_000;

/** Milliseconds for which the service collects uses of secrets before one commit stores them. */
const DELAY_MS = 1_000;

const BATCH = 500;

/**
 * Records the time of the last use of secrets in the background, so that reading a secret never waits for the write.
 */
@Injectable()
export class SecretUses implements OnApplicationShutdown {
  private readonly logger = new Logger(SecretUses.name);
  private readonly writtenAt = new Map<string, number>();
  private readonly pending = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly repository: SecretsRepository,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  note(id: string): void {
    const now = this.clock.now();
    if (now - (this.writtenAt.get(id) ?? -Infinity) < INTERVAL_MS) return;
    this.writtenAt.set(id, now);
    this.pending.set(id, now);
    this.timer ??= setTimeout(() => void this.flush(), DELAY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /**
   * Stores the times of the collected uses. Never rejects, because a lost time is replaced at the next use of the
   * secret.
   */
  async flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const ids = [...this.pending.keys()];
    const at = Math.max(...this.pending.values());
    this.pending.clear();
    this.forgetOld();
    try {
      for (let from = 0; from < ids.length; from += BATCH)
        await this.writer.commit({
          writes: [this.repository.use(ids.slice(from, from + BATCH), isoTime(at))],
        });
    } catch (error) {
      this.logger.warn({ err: error }, 'The last use of secrets could not be stored.');
    }
  }

  private forgetOld(): void {
    const since = this.clock.now() - INTERVAL_MS;
    for (const [id, at] of this.writtenAt) if (at <= since) this.writtenAt.delete(id);
  }
}
