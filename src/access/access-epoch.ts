import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CLOCK, type Clock } from '../platform/index.js';
import type { UnitOfWork } from '../storage/index.js';
import { AccessEpochRepository } from './access-epoch.repository.js';

/**
 * Maximum age of a cached access epoch, in milliseconds. The limit ensures that a revocation reaches every process
 * within one second.
 */
const FRESH_MS = 500;

/**
 * Counts changes of keys, people, roles and address lists. When the counter changes, every process clears its cache of
 * access rights. A busy process reads the counter twice a second, so it notices revocations even without Redis.
 */
@Injectable()
export class AccessEpoch {
  private epoch = -1;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: { readonly expiries: number; readonly epoch: Promise<number> } | undefined;
  /** Number of calls of `expire`. A read that began before the last call must not be used after it. */
  private expiries = 0;

  constructor(
    @Inject(AccessEpochRepository)
    private readonly repository: Pick<AccessEpochRepository, 'increment' | 'read'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the cached access epoch; undefined if the cached epoch is older than half a second. */
  fresh(): number | undefined {
    const age = this.clock.now() - this.readAt;
    return age >= 0 && age < FRESH_MS ? this.epoch : undefined;
  }

  /** Makes the next call of `current` start a new read. */
  expire(): void {
    this.expiries += 1;
    this.readAt = Number.NEGATIVE_INFINITY;
  }

  /** Returns an access epoch that is at most half a second old. Concurrent callers share one database query. */
  async current(): Promise<number> {
    const fresh = this.fresh();
    if (fresh !== undefined) return fresh;
    if (this.reading?.expiries !== this.expiries) {
      const reading = {
        expiries: this.expiries,
        epoch: this.read(this.expiries).finally(() => {
          if (this.reading === reading) this.reading = undefined;
        }),
      };
      this.reading = reading;
    }
    return this.reading.epoch;
  }

  /**
   * Adds an increment of the access epoch to a unit of work, so that every process clears its cache after the
   * commit. The increment comes first and locks the row of the epoch, so changes of access commit one after
   * another. Without the lock, the last two owners of a team could leave at the same time, and the team would
   * have no owner.
   */
  change(unit: UnitOfWork): UnitOfWork {
    return {
      ...unit,
      writes: [this.repository.increment(), ...unit.writes],
      afterCommit: ([, ...generated], previous) => {
        this.expire();
        unit.afterCommit?.(generated, previous);
      },
    };
  }

  private async read(expiries: number): Promise<number> {
    const askedAt = this.clock.now();
    const epoch = await this.repository.read();
    if (expiries === this.expiries) {
      this.epoch = epoch;
      this.readAt = askedAt;
    }
    return epoch;
  }
}

interface Entry<V> {
  readonly epoch: number;
  readonly value: V;
}

/**
 * Caches database rows until any process changes keys, people, roles or address lists. Each entry is valid for one
 * access epoch.
 */
export class EpochCache<V extends object> {
  private readonly entries: LRUCache<string, Entry<V>>;

  /** @param capacity maximum number of entries; a full cache evicts the least recently used one */
  constructor(
    private readonly epoch: AccessEpoch,
    capacity: number,
  ) {
    this.entries = new LRUCache({ max: capacity });
  }

  /** Returns a cached value without a database read; undefined if no valid value is cached. */
  peek(key: string): V | undefined {
    const epoch = this.epoch.fresh();
    if (epoch === undefined) return undefined;
    const entry = this.entries.get(key);
    return entry?.epoch === epoch ? entry.value : undefined;
  }

  /** Returns the cached value. Otherwise, calls `load` and caches its result; null if `load` finds no row. */
  async get(key: string, load: () => Promise<V | null>): Promise<V | null> {
    // Read the access epoch before the value. If access changes between the two reads, the cached value belongs to an
    // outdated epoch and is not used.
    const epoch = await this.epoch.current();
    const entry = this.entries.get(key);
    if (entry?.epoch === epoch) return entry.value;
    const value = await load();
    if (value === null) this.entries.delete(key);
    else this.entries.set(key, { epoch, value });
    return value;
  }
}
