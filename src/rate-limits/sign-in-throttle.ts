import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import { RateLimitError, UnavailableError } from '../errors/index.js';
import { BucketTable } from './bucket-table.js';
import { networkOf } from './network.js';
import { type Bucket, type BucketLimits, charge, fullAtMs, refilled, REQUEST, take } from './token-bucket.js';

/**
 * Token buckets of the sign-in attempts that the service checks without a delay. An attempt from a known device counts
 * in the bucket of the device. Any other attempt counts in the bucket of the account and in the bucket of the network.
 */
export const SIGN_IN_LIMITS = {
  account: { capacity: 5, refillPerMinute: 1 },
  network: { capacity: 20, refillPerMinute: 6 },
  device: { capacity: 10, refillPerMinute: 1 },
} as const satisfies Readonly<Record<string, BucketLimits>>;

const FIRST_DELAY_MS = 1_000;
/** Maximum delay of a sign-in attempt in milliseconds. It is shorter than the usual timeouts of proxies. */
export const MAX_DELAY_MS = 8_000;
/**
 * Maximum debt of a token bucket, in minutes of refill. After at most 10 minutes without attempts, the next delay is
 * again the first delay of 1 s.
 */
const MAX_DEBT_MINUTES = 10;

/**
 * Maximum number of sign-in attempts of one network that are delayed at the same time. All networks together
 * may have 500 such attempts, and one attacker must not use up all of them.
 */
export const MAX_DELAYED_OF_NETWORK = 3;
const MAX_DELAYED = 500;

/**
 * Maximum number of accounts, of networks and of known devices that are kept in memory. Each of the three tables takes
 * some megabytes.
 */
const MAX_BUCKETS = 50_000;

/** A sign-in attempt whose password is not checked yet. */
export interface SignInAttempt {
  /** Normalized name of the account. Attempts on accounts that do not exist are counted, too. */
  readonly account: string;
  /** Canonical address of the client, not of a trusted proxy. */
  readonly address: string;
  /** Id of a device that signed in to the account before; null for an unknown device. */
  readonly device: string | null;
}

/** A sign-in attempt that has waited for its delay, so that its password may be checked. */
export interface AdmittedAttempt {
  /**
   * True if the device of the attempt signed in to the account before. Attempts from other devices do not delay such a
   * device.
   */
  readonly isKnown: boolean;
  /** Resets the count of attempts. The caller must call this function after a correct password. */
  readonly succeeded: () => void;
}

/**
 * Delays sign-in attempts by account and by network, in each process separately. An account is never locked, but the
 * delay grows with each attempt. Known devices are counted separately from other devices.
 */
@Injectable()
export class SignInThrottle implements BeforeApplicationShutdown {
  private readonly accounts = new BucketTable(MAX_BUCKETS);
  private readonly networks = new BucketTable(MAX_BUCKETS);
  private readonly devices = new BucketTable(MAX_BUCKETS);
  private readonly delayedOfNetwork = new Map<string, number>();
  private readonly delayed = new Set<() => void>();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /**
   * Counts a sign-in attempt. The promise resolves when the delay is over and the password may be checked.
   *
   * @throws RateLimitError when too many attempts are already delayed, of this network or of all networks
   * @throws UnavailableError when the process shuts down during the delay
   */
  async admit({ account, address, device }: SignInAttempt): Promise<AdmittedAttempt> {
    const known = device === null ? undefined : this.admitDevice(device);
    if (known !== undefined) return known;
    const network = networkOf(address);
    const accountBucket = this.charged(this.accounts, account, SIGN_IN_LIMITS.account);
    const networkBucket = this.charged(this.networks, network, SIGN_IN_LIMITS.network);
    const delayMs = Math.max(delayOf(accountBucket), delayOf(networkBucket));
    if (delayMs > 0) this.requireCapacity(network, delayMs);
    this.remember(this.accounts, account, accountBucket, SIGN_IN_LIMITS.account);
    this.remember(this.networks, network, networkBucket, SIGN_IN_LIMITS.network);
    if (delayMs > 0) await this.delay(network, delayMs);
    return {
      isKnown: false,
      succeeded: () => {
        this.forget(this.accounts, account, SIGN_IN_LIMITS.account);
        // A correct password refunds only one attempt of the network. Otherwise, attackers could reset the count of
        // their network by signing in to an account of their own.
        this.refund(network);
      },
    };
  }

  beforeApplicationShutdown(): void {
    for (const end of this.delayed) end();
  }

  /**
   * Counts an attempt of a known device. Returns undefined if the device made too many attempts. The attempt then
   * counts as an attempt of an unknown device.
   */
  private admitDevice(device: string): AdmittedAttempt | undefined {
    const nowMs = this.clock.now();
    const { bucket, result } = take(
      refilled(this.devices.get(device), SIGN_IN_LIMITS.device, nowMs),
      SIGN_IN_LIMITS.device,
      nowMs,
    );
    this.devices.set(device, bucket, result.fullAtMs, nowMs);
    if (!result.allowed) return undefined;
    return { isKnown: true, succeeded: () => this.forget(this.devices, device, SIGN_IN_LIMITS.device) };
  }

  private charged(table: BucketTable, key: string, limits: BucketLimits): Bucket {
    return charge(refilled(table.get(key), limits, this.clock.now()), limits, MAX_DEBT_MINUTES);
  }

  private remember(table: BucketTable, key: string, bucket: Bucket, limits: BucketLimits): void {
    table.set(key, bucket, fullAtMs(bucket, limits), this.clock.now());
  }

  private forget(table: BucketTable, key: string, limits: BucketLimits): void {
    this.remember(table, key, refilled(undefined, limits, this.clock.now()), limits);
  }

  private refund(network: string): void {
    const limits = SIGN_IN_LIMITS.network;
    const { level, atMs } = refilled(this.networks.get(network), limits, this.clock.now());
    const bucket = { level: Math.min(limits.capacity * REQUEST, level + REQUEST), atMs };
    this.remember(this.networks, network, bucket, limits);
  }

  private requireCapacity(network: string, delayMs: number): void {
    const ofNetwork = this.delayedOfNetwork.get(network) ?? 0;
    if (ofNetwork >= MAX_DELAYED_OF_NETWORK || this.delayed.size >= MAX_DELAYED)
      throw new RateLimitError(Math.ceil(delayMs / 1_000), {}, 'too_many_sign_in_attempts');
  }

  private async delay(network: string, delayMs: number): Promise<void> {
    this.delayedOfNetwork.set(network, (this.delayedOfNetwork.get(network) ?? 0) + 1);
    let end: () => void = () => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, delayMs);
        end = (): void => {
          clearTimeout(timer);
          reject(new UnavailableError());
        };
        this.delayed.add(end);
      });
    } finally {
      this.delayed.delete(end);
      const left = (this.delayedOfNetwork.get(network) ?? 1) - 1;
      if (left === 0) this.delayedOfNetwork.delete(network);
      else this.delayedOfNetwork.set(network, left);
    }
  }
}

/**
 * Returns the delay in milliseconds: 1 s for the first attempt beyond the limit, doubled for each further attempt, at
 * most 8 s.
 */
function delayOf({ level }: Bucket): number {
  const owed = Math.ceil(-level / REQUEST);
  return owed <= 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (owed - 1));
}
