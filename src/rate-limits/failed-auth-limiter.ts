import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import { RateLimitError } from '../errors/index.js';
import { BucketTable } from './bucket-table.js';
import { networkOf } from './network.js';
import { retryAfterSeconds } from './rate-limit.headers.js';
import { type BucketLimits, refilled, take } from './token-bucket.js';

/**
 * Number of failed authentications that an address may cause, far more than a person with a wrong key causes.
 * `SignInThrottle` limits wrong passwords.
 */
export const FAILED_AUTH_LIMITS: BucketLimits = { capacity: 100, refillPerMinute: 60 };

/**
 * Maximum number of addresses whose failures are counted at the same time. They take some megabytes of
 * memory.
 */
export const MAX_ADDRESSES = 50_000;

/**
 * Counts failed authentications per address (IPv6: per /64) in this process. Only failures count, so a valid
 * credential is never delayed.
 */
@Injectable()
export class FailedAuthLimiter {
  private readonly table = new BucketTable(MAX_ADDRESSES);

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  get size(): number {
    return this.table.size;
  }

  /**
   * Counts a failed authentication.
   *
   * @param address canonical address of the client, not of a trusted proxy
   * @throws RateLimitError when the address had too many failures recently
   */
  refused(address: string): void {
    const network = networkOf(address);
    const nowMs = this.clock.now();
    const known = refilled(this.table.get(network), FAILED_AUTH_LIMITS, nowMs);
    const { bucket, result } = take(known, FAILED_AUTH_LIMITS, nowMs);
    this.table.set(network, bucket, result.fullAtMs, nowMs);
    if (!result.allowed)
      throw new RateLimitError(retryAfterSeconds(result), {}, 'too_many_failed_authentications');
  }
}
