import { Inject, Injectable } from '@nestjs/common';
import { AccessEpoch, EpochCache, refusing } from '../access/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { hashOfKey, looksLikeKey } from './key-secret.js';
import { ExpiredKeyError, InvalidKeyError } from './keys.errors.js';
import type { VerifiedKey } from './verified-key.js';
import { VerifiedKeyLoader } from './verified-key.loader.js';

/** Number of verified keys that a process caches. */
const CACHED_KEYS = 10_000;

/**
 * Verifies keys. Results are cached until any access changes (`AccessEpoch`); a key's expiry is compared with the clock
 * at each use.
 */
@Injectable()
export class KeyVerifier {
  private readonly cache: EpochCache<VerifiedKey>;

  constructor(
    private readonly loader: VerifiedKeyLoader,
    @Inject(CLOCK) private readonly clock: Clock,
    epoch: AccessEpoch,
  ) {
    this.cache = new EpochCache(epoch, CACHED_KEYS);
  }

  /** The cached key of a secret; undefined if the cache contains no valid key for it. */
  peek(secret: string): VerifiedKey | undefined {
    const key = this.cache.peek(hashOfKey(secret));
    return key === undefined || this.isOver(key) ? undefined : key;
  }

  /**
   * The valid key of a secret.
   * @throws InvalidKeyError when the secret is malformed, unknown or deleted, the owner is disabled or deleted, or
   * the project was deleted.
   * @throws ExpiredKeyError when the key has expired.
   */
  async verify(secret: string): Promise<VerifiedKey> {
    // Refuses random guesses by their checksum, without a database query.
    if (!looksLikeKey(secret)) throw new InvalidKeyError();
    const hash = hashOfKey(secret);
    const key = await this.cache.get(hash, () => this.loader.byHash(hash));
    if (key === null) throw new InvalidKeyError();
    if (this.isOver(key)) throw refusing(new ExpiredKeyError(), key.rights);
    return key;
  }

  /**
   * The valid key with an id, for view tokens and other credentials derived from the key.
   * @throws InvalidKeyError, ExpiredKeyError as `verify` does.
   */
  async verifyId(id: string): Promise<VerifiedKey> {
    const key = await this.cache.get(`id ${id}`, async () => (await this.loader.byIds([id])).get(id) ?? null);
    if (key === null) throw new InvalidKeyError();
    if (this.isOver(key)) throw refusing(new ExpiredKeyError(), key.rights);
    return key;
  }

  private isOver(key: VerifiedKey): boolean {
    return key.expiresAt <= this.clock.now();
  }
}
