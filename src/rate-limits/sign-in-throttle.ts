import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import { RateLimitError, UnavailableError } from '../errors/index.js';
import { BucketTable } from './bucket-table.js';
import { networkOf } from './network.js';
import { type Bucket, type BucketLimits, charge, fullAtMs, refilled, REQUEST, take } from './token-bucket.js';

/** Attempts without a delay: of an account from all addresses, of a network on all accounts, of a known device. */
export const SIGN_IN_LIMITS = {
  account: { capacity: 5, refillPerMinute: 1 },
  network: { capacity: 20, refillPerMinute: 6 },
  device: { capacity: 10, refillPerMinute: 1 },
} as const satisfies Readonly<Record<string, BucketLimits>>;

const FIRST_DELAY_MS = 1_000;
/** Shorter than the timeouts of proxies and the patience of people. */
export const MAX_DELAY_MS = 8_000;
/** How long counts are kept after the last attempt. */
const MAX_DEBT_MINUTES = 10;

/**
 * Maximum number of delayed attempts; further ones are refused. A network's share is small, to leave room for others.
 */
export const MAX_DELAYED_OF_NETWORK = 3;
const MAX_DELAYED = 500;

/** Maximum number of accounts, networks and devices in memory; some megabytes each. */
const MAX_REMEMBERED = 50_000;

/** A password that is about to be checked. */
export interface SignInAttempt {
  /** Normalized. Unknown accounts are counted alike. */
  readonly account: string;
  /** Canonical, after trusted proxies. */
  readonly address: string;
  /** Device from which the account signed in before; null for an unknown device. */
  readonly device: string | null;
}

/** An attempt whose password may be checked now. */
export interface AdmittedAttempt {
  /** Whether it comes from a known device, which others cannot delay. */
  readonly isKnown: boolean;
  /** Called when the password was right. */
  readonly succeeded: () => void;
}

/**
 * Slows down attempts to sign in, by account and by network, in this process. Accounts are never locked: after a few
 * attempts each one waits longer, up to some seconds. A device from which the account signed in before is counted
 * separately and does not wait for attempts of others.
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
   * Counts an attempt and resolves when its password may be checked. Counting before checking makes concurrent attempts
   * wait like consecutive ones.
   * @throws RateLimitError when too many attempts of the network, or of all, are delayed
   * @throws UnavailableError when the process ends meanwhile
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
        // Only this attempt: an account owner must not clear a network's count by signing in.
        this.giveBack(network);
      },
    };
  }

  beforeApplicationShutdown(): void {
    for (const end of this.delayed) end();
  }

  /** Undefined if the device had too many attempts: then it counts like any other. */
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

  private giveBack(network: string): void {
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

/** Milliseconds: none while attempts are left, then doubled for each excess attempt. */
function delayOf({ level }: Bucket): number {
  const owed = Math.ceil(-level / REQUEST);
  return owed <= 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (owed - 1));
}
