import { Inject, Injectable } from '@nestjs/common';
import { AccessEpoch, EpochCache, refusing } from '../access/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { hashOfKey, looksLikeKey } from './key-secret.js';
import { ExpiredKeyError, InvalidKeyError } from './keys.errors.js';
import type { VerifiedKey } from './verified-key.js';
import { VerifiedKeyLoader } from './verified-key.loader.js';

const CACHED_KEYS = 10_000;

/** Verifies keys. Results are cached until any access changes, but the expiry is checked at each use. */
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

  /** The cached key of a secret. Undefined without a valid cached key. */
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
    // The checksum excludes random guesses without a database query.
    if (!looksLikeKey(secret)) throw new InvalidKeyError();
    const hash = hashOfKey(secret);
    const key = await this.cache.get(hash, () => this.loader.byHash(hash));
    if (key === null) throw new InvalidKeyError();
    if (this.isOver(key)) throw refusing(new ExpiredKeyError(), key.rights);
    return key;
  }

  /**
   * The valid key with an id, for view tokens and other derived credentials.
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
