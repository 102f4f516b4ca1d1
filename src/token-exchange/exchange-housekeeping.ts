import { Inject, Injectable, Logger } from '@nestjs/common';
import { ExchangedKeys } from '../keys/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { Writer } from '../storage/index.js';
import { UsedTokensRepository } from './used-tokens.repository.js';

const INTERVAL_MS = 60_000;
/**
 * Milliseconds for which an expired key is kept (24 hours), so that a request with the key gets the error
 * `expired_key`.
 */
const EXPIRED_KEY_RETENTION_MS = 24 * 3_600_000;

/**
 * Deletes expired API keys from token exchange and the records of used JWTs. A deletion starts after an exchange, at
 * most once a minute.
 */
@Injectable()
export class ExchangeHousekeeping {
  private readonly logger = new Logger(ExchangeHousekeeping.name);
  private lastAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly usedTokens: UsedTokensRepository,
    private readonly keys: ExchangedKeys,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Starts a deletion in the background, at most once a minute. If a deletion fails, the next one deletes the remaining
   * rows.
   */
  run(): void {
    const now = this.clock.now();
    if (now - this.lastAt < INTERVAL_MS) return;
    this.lastAt = now;
    const writes = [
      this.usedTokens.deleteExpired(isoTime(now)),
      this.keys.deleteExpired(isoTime(now - EXPIRED_KEY_RETENTION_MS)),
    ];
    this.writer.commit({ writes }).catch((error: unknown) => {
      this.logger.warn({
        err: error,
        msg: 'Expired records of exchanged JWTs could not be deleted; trying again.',
      });
    });
  }
}
