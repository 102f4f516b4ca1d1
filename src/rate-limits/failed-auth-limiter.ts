import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import { RateLimitError } from '../errors/index.js';
import { BucketTable } from './bucket-table.js';
import { networkOf } from './network.js';
import { retryAfterSeconds } from './rate-limit.headers.js';
import { type BucketLimits, refilled, take } from './token-bucket.js';

/**
 * Failed authentications that one address may cause: 100 at once, then 60 a minute. A person with a wrong key stays far
 * below these limits. `SignInThrottle` limits wrong passwords separately.
 */
export const FAILED_AUTH_LIMITS: BucketLimits = { capacity: 100, refillPerMinute: 60 };

/** Maximum number of addresses to track at the same time. The tracked addresses take some megabytes of memory. */
export const MAX_ADDRESSES = 50_000;

/**
 * Limits failed authentications by client address, in each process separately. IPv6 addresses count by /64 network.
 * Successful authentications are not counted, so a valid credential is never delayed.
 */
@Injectable()
export class FailedAuthLimiter {
  private readonly table = new BucketTable(MAX_ADDRESSES);

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  get size(): number {
    return this.table.size;
  }

  /**
   * Counts a failed authentication of an address.
   *
   * @param address canonical address of the client, not of a trusted proxy
   * @throws RateLimitError when the address had too many failures recently
   */
  countFailure(address: string): void {
    const network = networkOf(address);
    const nowMs = this.clock.now();
    const known = refilled(this.table.get(network), FAILED_AUTH_LIMITS, nowMs);
    const { bucket, result } = take(known, FAILED_AUTH_LIMITS, nowMs);
    this.table.set(network, bucket, result.fullAtMs, nowMs);
    if (!result.allowed)
      throw new RateLimitError(retryAfterSeconds(result), {}, 'too_many_failed_authentications');
  }
}
