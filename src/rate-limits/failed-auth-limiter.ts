import { Inject, Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { CLOCK, type Clock, RateLimitError } from '../platform/index.js';
import { BucketTable } from './bucket-table.js';
import { retryAfterSeconds } from './rate-limit.headers.js';
import { type BucketLimits, charge, fullAtMs, refilled, take } from './token-bucket.js';

/**
 * Failures that one address may have. Far more than a person with a wrong key makes, far less than guessing
 * needs; passwords have a stricter count of their own for each account.
 */
export const FAILED_AUTH_LIMITS: BucketLimits = { capacity: 100, refillPerMinute: 60 };

/** Addresses remembered at once; some megabytes. */
export const MAX_ADDRESSES = 50_000;

/** A burst of failures that were under way together is paid for later, but not for longer than this. */
const MAX_DEBT_MINUTES = 60;

/** One subscriber's share of IPv6: who has one address of it has all of them. */
const IPV6_PREFIX_BITS = 64;

/**
 * Counts failed authentications of each address (IPv6: of each /64), in this process. Only a credential that
 * was looked at and refused counts; a missing one does not, and no valid credential is ever charged.
 */
@Injectable()
export class FailedAuthLimiter {
  private readonly table = new BucketTable(MAX_ADDRESSES);

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** How many addresses are remembered. */
  get size(): number {
    return this.table.size;
  }

  /**
   * To be asked before a credential is looked at.
   * @param address canonical, after trusted proxies
   * @throws RateLimitError when the address had too many failures lately
   */
  check(address: string): void {
    const bucket = this.table.get(networkOf(address));
    if (bucket === undefined) return;
    const nowMs = this.clock.now();
    const { result } = take(refilled(bucket, FAILED_AUTH_LIMITS, nowMs), FAILED_AUTH_LIMITS, nowMs);
    if (!result.allowed)
      throw new RateLimitError(retryAfterSeconds(result), {}, 'too_many_failed_authentications');
  }

  /** To be told of each credential that was refused. */
  failed(address: string): void {
    const network = networkOf(address);
    const nowMs = this.clock.now();
    const bucket = refilled(this.table.get(network), FAILED_AUTH_LIMITS, nowMs);
    const charged = charge(bucket, FAILED_AUTH_LIMITS, MAX_DEBT_MINUTES);
    this.table.set(network, charged, fullAtMs(charged, FAILED_AUTH_LIMITS), nowMs);
  }
}

function networkOf(address: string): string {
  return normalizeIp(address, IPV6_PREFIX_BITS);
}
