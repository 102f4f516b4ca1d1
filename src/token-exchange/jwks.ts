import { Logger } from '@nestjs/common';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from 'jose';
import type { Clock } from '../platform/index.js';
import type { TokenIssuer } from '../settings/index.js';
import { fetchKeySet } from './jwks-download.js';
import { IssuerUnavailableError } from './token-exchange.errors.js';

/** Milliseconds after which the keys of an issuer are downloaded again, because the issuer may have withdrawn a key. */
const MAX_KEY_AGE_MS = 600_000;
const COOL_DOWN_MS = 30_000;
/** Minimum milliseconds between two downloads while no keys of the issuer are known. */
const RETRY_MS = 5_000;
const TIMEOUT_MS = 5_000;

export interface Jwks {
  /**
   * Looks up the key for `jwtVerify`. The lookup reads only `alg` and `kid` of the JWT, never a URL or a key in the
   * JWT.
   */
  readonly key: JWTVerifyGetKey;
}

/** Returns the keys of an issuer. Its settings contain the keys, or the URL at which the issuer publishes them. */
export function jwksOf({ jwks, jwks_url }: TokenIssuer, clock: Clock): Jwks {
  if (jwks_url !== undefined) return new RemoteJwks(jwks_url, clock);
  return { key: createLocalJWKSet(jwks ?? { keys: [] }) };
}

/**
 * The keys that an issuer publishes at a URL. While the issuer is unreachable, the known keys remain valid; the library
 * jose alone would drop them.
 */
class RemoteJwks implements Jwks {
  private readonly logger = new Logger(RemoteJwks.name);
  private readonly remote: RemoteJWKSet;
  private downloadedAt = Number.NEGATIVE_INFINITY;
  private attemptedAt = Number.NEGATIVE_INFINITY;
  private error: unknown;

  constructor(
    private readonly url: string,
    private readonly clock: Clock,
  ) {
    this.remote = createRemoteJWKSet(new URL(url), {
      cacheMaxAge: Number.POSITIVE_INFINITY,
      cooldownDuration: Number.POSITIVE_INFINITY,
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: fetchKeySet,
    });
  }

  /** @throws IssuerUnavailableError when no keys are known and none can be downloaded. */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    if (this.clock.now() - this.downloadedAt >= MAX_KEY_AGE_MS) await this.reload();
    try {
      return await this.known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await this.reload())) throw error;
      return this.known(header, token);
    }
  };

  private readonly known: JWTVerifyGetKey = (header, token) => {
    if (!this.remote.fresh) throw new IssuerUnavailableError(RETRY_MS / 1000, this.error);
    return this.remote(header, token);
  };

  /**
   * Downloads the keys of the issuer, unless the last attempt was less than 30 s ago (5 s while no keys are known).
   * Concurrent callers share one download. A failure is logged, not thrown.
   *
   * @returns whether a download was attempted
   */
  private async reload(): Promise<boolean> {
    const interval = this.remote.fresh ? COOL_DOWN_MS : RETRY_MS;
    if (!this.remote.reloading) {
      if (this.clock.now() - this.attemptedAt < interval) return false;
      this.attemptedAt = this.clock.now();
    }
    try {
      await this.remote.reload();
      this.downloadedAt = this.clock.now();
    } catch (error) {
      if (this.error !== error)
        this.logger.warn({ err: error, url: this.url, msg: 'The keys of a token issuer could not be read.' });
      this.error = error;
    }
    return true;
  }
}
