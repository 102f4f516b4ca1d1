import { Inject, Injectable } from '@nestjs/common';
import { AccessEpoch, EpochCache, refusing } from '../access/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { hashOfKey, looksLikeKey } from './key-secret.js';
import { ExpiredKeyError, InvalidKeyError } from './keys.errors.js';
import type { VerifiedKey } from './verified-key.js';
import { VerifiedKeyLoader } from './verified-key.loader.js';

const CACHED_KEYS = 10_000;

/**
 * Verifies the secrets of API keys. Verified keys are cached until the access epoch changes. The expiry is checked at
 * each use.
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

  /** Returns the cached key for a secret; undefined if the key is not cached or has expired. */
  peek(secret: string): VerifiedKey | undefined {
    const key = this.cache.peek(hashOfKey(secret));
    return key === undefined || this.isOver(key) ? undefined : key;
  }

  /**
   * @throws InvalidKeyError when the secret is malformed, unknown or deleted, the owner is disabled or deleted, or
   * the project was deleted.
   *
   * @throws ExpiredKeyError when the key has expired.
   */
  async verify(secret: string): Promise<VerifiedKey> {
    // The checksum rejects most guessed secrets without a database query.
    if (!looksLikeKey(secret)) throw new InvalidKeyError();
    const hash = hashOfKey(secret);
    const key = await this.cache.get(hash, () => this.loader.byHash(hash));
    if (key === null) throw new InvalidKeyError();
    if (this.isOver(key)) throw refusing(new ExpiredKeyError(), key.rights);
    return key;
  }

  /**
   * Returns the valid API key with the given id. View tokens and other derived credentials contain only the id of the
   * key.
   *
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
