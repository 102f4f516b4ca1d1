import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, RateLimitError } from '../platform/index.js';
import { BucketTable } from './bucket-table.js';
import { retryAfterSeconds } from './rate-limit.headers.js';
import { type BucketLimits, refilled, take } from './token-bucket.js';

/** Wrong passwords that one account may have, from wherever they come. */
const FAILED_SIGN_IN_LIMITS: BucketLimits = { capacity: 5, refillPerMinute: 1 };

/** Accounts remembered at once; some megabytes. Names of accounts that nobody has are remembered alike. */
const MAX_ACCOUNTS = 50_000;

/**
 * Counts wrong passwords of each account, in this process. An attempt is taken before its password is looked
 * at, so that many at once are not more than one after the other, and the right password gives them all back.
 */
@Injectable()
export class FailedSignInLimiter {
  private readonly table = new BucketTable(MAX_ACCOUNTS);

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /**
   * To be asked before a password is looked at.
   * @param account in one spelling
   * @throws RateLimitError when the account is locked; it says for how long
   */
  take(account: string): void {
    const nowMs = this.clock.now();
    const known = refilled(this.table.get(account), FAILED_SIGN_IN_LIMITS, nowMs);
    const { bucket, result } = take(known, FAILED_SIGN_IN_LIMITS, nowMs);
    this.table.set(account, bucket, result.fullAtMs, nowMs);
    if (!result.allowed) throw new RateLimitError(retryAfterSeconds(result), {}, 'account_locked');
  }

  /** To be told when the password was the right one. */
  succeeded(account: string): void {
    const nowMs = this.clock.now();
    this.table.set(account, refilled(undefined, FAILED_SIGN_IN_LIMITS, nowMs), nowMs, nowMs);
  }
}
