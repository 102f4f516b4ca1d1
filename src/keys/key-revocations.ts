import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { AccessEpoch, type Principal } from '../access/index.js';
import { CLOCK, type Clock, Periodic } from '../platform/index.js';
import { mayBeUsedFrom, principalOf, sameRights, type VerifiedKey } from './verified-key.js';
import { VerifiedKeyLoader } from './verified-key.loader.js';

/** A change of an API key, as reported to an open connection that uses the key. */
export type KeyEvent =
  /** The key was deleted, or its owner was disabled or left the team. */
  | { readonly kind: 'revoked' }
  | { readonly kind: 'expired' }
  /** The key is still valid, but its new address list excludes the address of the connection. */
  | { readonly kind: 'address_not_allowed' }
  /** The key is still valid, but its rights changed. */
  | { readonly kind: 'changed'; readonly principal: Principal };

export type KeyListener = (event: KeyEvent) => void;

interface Watch {
  principal: Principal;
  readonly keyId: string;
  readonly listener: KeyListener;
  /** Access epoch at the time when the key was last read from the database. */
  epoch: number;
  expiresAt: number;
}

/** Poll interval in milliseconds, short enough that connections end within a second after a revocation. */
const CHECK_INTERVAL_MS = 250;

/**
 * Notifies open connections when their API key ends or changes, even if another process made the change. Each poll
 * reads the access epoch; only if the epoch has changed, the poll also reads the keys.
 */
@Injectable()
export class KeyRevocations implements OnApplicationShutdown {
  private readonly logger = new Logger(KeyRevocations.name);
  private readonly watches = new Set<Watch>();
  private readonly timer = new Periodic(
    CHECK_INTERVAL_MS,
    () => this.check(),
    (error) =>
      this.logger.warn(
        { err: error },
        'Open connections could not be checked for revoked keys; trying again.',
      ),
  );
  private checking: Promise<void> | undefined;

  constructor(
    private readonly loader: VerifiedKeyLoader,
    private readonly epoch: AccessEpoch,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Watches the API key of a principal. Every event except `changed` ends the watch. A principal without a key is not
   * watched.
   *
   * @returns a function that ends the watch
   */
  watch(principal: Principal, listener: KeyListener): () => void {
    if (principal.keyId === null) return () => undefined;
    const watch: Watch = {
      principal,
      keyId: principal.keyId,
      listener,
      epoch: -1,
      expiresAt: Number.POSITIVE_INFINITY,
    };
    this.watches.add(watch);
    this.timer.start();
    return () => this.end(watch);
  }

  check(): Promise<void> {
    this.checking ??= this.poll().finally(() => (this.checking = undefined));
    return this.checking;
  }

  onApplicationShutdown(): void {
    void this.timer.stop();
    this.watches.clear();
  }

  private async poll(): Promise<void> {
    const epoch = await this.epoch.current();
    const outdated = [...this.watches].filter((watch) => watch.epoch !== epoch);
    if (outdated.length > 0) {
      const keys = await this.loader.byIds([...new Set(outdated.map(({ keyId }) => keyId))]);
      for (const watch of outdated)
        if (this.watches.has(watch)) this.renew(watch, keys.get(watch.keyId), epoch);
    }
    const now = this.clock.now();
    for (const watch of this.watches) if (watch.expiresAt <= now) this.finish(watch, { kind: 'expired' });
  }

  private renew(watch: Watch, key: VerifiedKey | undefined, epoch: number): void {
    if (key === undefined) return this.finish(watch, { kind: 'revoked' });
    const { view, address } = watch.principal;
    // The address lists of a key do not restrict its view tokens, because other people use them from their own
    // addresses.
    if (view === undefined && !mayBeUsedFrom(key, address))
      return this.finish(watch, { kind: 'address_not_allowed' });
    watch.epoch = epoch;
    watch.expiresAt = key.expiresAt;
    if (sameRights(watch.principal, key.rights)) return;
    watch.principal = { ...principalOf(key, address), ...(view === undefined ? {} : { view }) };
    watch.listener({ kind: 'changed', principal: watch.principal });
  }

  private finish(watch: Watch, event: KeyEvent): void {
    this.end(watch);
    watch.listener(event);
  }

  private end(watch: Watch): void {
    this.watches.delete(watch);
    if (this.watches.size === 0) void this.timer.stop();
  }
}
