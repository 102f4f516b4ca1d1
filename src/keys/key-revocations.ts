import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { AccessEpoch, type Principal } from '../access/index.js';
import { CLOCK, type Clock, Periodic } from '../platform/index.js';
import { mayBeUsedFrom, principalOf, sameRights, type VerifiedKey } from './verified-key.js';
import { VerifiedKeyLoader } from './verified-key.loader.js';

/** A change of a key while a connection opened with it is in use. */
export type KeyEvent =
  /** Deleted, or its owner was disabled or left the team. */
  | { readonly kind: 'revoked' }
  | { readonly kind: 'expired' }
  /** Still valid, but no longer from the address of the connection. */
  | { readonly kind: 'address_not_allowed' }
  /** Still valid, with other rights. */
  | { readonly kind: 'changed'; readonly principal: Principal };

export type KeyListener = (event: KeyEvent) => void;

interface Watch {
  principal: Principal;
  readonly keyId: string;
  readonly listener: KeyListener;
  /** Epoch and expiry at the last database read. */
  epoch: number;
  expiresAt: number;
}

/** With the epoch's half second this keeps every revocation under one second. */
const CHECK_INTERVAL_MS = 250;

/**
 * Notifies long connections when their key ends or changes, whichever process did that. Queries the database only while
 * connections are watched, and reads one row unless something changed.
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
   * Watches the key of a principal. `revoked`, `expired` and `address_not_allowed` are final. A principal without a key
   * (a dashboard sign-in) is not watched.
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

  /** Checks every watched key now; a timer does so four times a second. */
  check(): Promise<void> {
    this.checking ??= this.look().finally(() => (this.checking = undefined));
    return this.checking;
  }

  onApplicationShutdown(): void {
    void this.timer.stop();
    this.watches.clear();
  }

  private async look(): Promise<void> {
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
    // Other people use a view token from any address; its key's address lists do not apply to it.
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
