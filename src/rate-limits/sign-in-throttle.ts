import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import { RateLimitError, UnavailableError } from '../errors/index.js';
import { BucketTable } from './bucket-table.js';
import { networkOf } from './network.js';
import { type Bucket, type BucketLimits, charge, fullAtMs, refilled, REQUEST, take } from './token-bucket.js';

/**
 * Number of sign-in attempts without a delay: on one account from unknown devices, from one network, and from
 * one known device.
 */
export const SIGN_IN_LIMITS = {
  account: { capacity: 5, refillPerMinute: 1 },
  network: { capacity: 20, refillPerMinute: 6 },
  device: { capacity: 10, refillPerMinute: 1 },
} as const satisfies Readonly<Record<string, BucketLimits>>;

const FIRST_DELAY_MS = 1_000;
/** Maximum delay of a sign-in attempt in milliseconds, shorter than the timeouts of proxies. */
export const MAX_DELAY_MS = 8_000;
/** Minutes after the last sign-in attempt until the number of attempts is forgotten. */
const MAX_DEBT_MINUTES = 10;

/** Maximum number of delayed attempts from one network. Attempts from other networks must also have a chance. */
export const MAX_DELAYED_OF_NETWORK = 3;
const MAX_DELAYED = 500;

/** Maximum number of accounts, of networks and of devices in memory. Each kind takes some megabytes. */
const MAX_REMEMBERED = 50_000;

/** An attempt to sign in, before its password is checked. */
export interface SignInAttempt {
  /** Normalized name of the account. Unknown accounts also count. */
  readonly account: string;
  /** Canonical address of the client, not of a trusted proxy. */
  readonly address: string;
  /** Device of an earlier sign-in to the account. Null for an unknown device. */
  readonly device: string | null;
}

/** An attempt to sign in whose password may be checked now. */
export interface AdmittedAttempt {
  /** Whether the attempt comes from a known device, which attempts from other devices do not delay. */
  readonly isKnown: boolean;
  /** Must be called after a correct password. */
  readonly succeeded: () => void;
}

/**
 * Slows down attempts to sign in, by account and by network, in this process. Accounts are never locked, but each
 * further attempt waits longer. A known device has its own count.
 */
@Injectable()
export class SignInThrottle implements BeforeApplicationShutdown {
  private readonly accounts = new BucketTable(MAX_REMEMBERED);
  private readonly networks = new BucketTable(MAX_REMEMBERED);
  private readonly devices = new BucketTable(MAX_REMEMBERED);
  private readonly delayedOfNetwork = new Map<string, number>();
  private readonly delayed = new Set<() => void>();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /**
   * Counts an attempt and resolves when its password may be checked.
   *
   * @throws RateLimitError when too many attempts from the network, or from all networks, are delayed
   * @throws UnavailableError when the process shuts down during the delay
   */
  async admit({ account, address, device }: SignInAttempt): Promise<AdmittedAttempt> {
    const known = device === null ? undefined : this.admitDevice(device);
    if (known !== undefined) return known;
    const network = networkOf(address);
    const accountBucket = this.charged(this.accounts, account, SIGN_IN_LIMITS.account);
    const networkBucket = this.charged(this.networks, network, SIGN_IN_LIMITS.network);
    const delayMs = Math.max(delayOf(accountBucket), delayOf(networkBucket));
    if (delayMs > 0) this.requirePlace(network, delayMs);
    this.remember(this.accounts, account, accountBucket, SIGN_IN_LIMITS.account);
    this.remember(this.networks, network, networkBucket, SIGN_IN_LIMITS.network);
    if (delayMs > 0) await this.delay(network, delayMs);
    return {
      isKnown: false,
      succeeded: () => {
        this.forget(this.accounts, account, SIGN_IN_LIMITS.account);
        // The network gets back only this attempt, because an attacker could sign in to an own account.
        this.refund(network);
      },
    };
  }

  beforeApplicationShutdown(): void {
    for (const end of this.delayed) end();
  }

  /** Admits an attempt from a known device. Undefined after too many attempts, which makes the device unknown. */
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

  private requirePlace(network: string, delayMs: number): void {
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

/** Delay in milliseconds. Doubles with each attempt beyond the limit. */
function delayOf({ level }: Bucket): number {
  const owed = Math.ceil(-level / REQUEST);
  return owed <= 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (owed - 1));
}
