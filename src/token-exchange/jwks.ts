import { Logger } from '@nestjs/common';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from 'jose';
import type { Clock } from '../platform/index.js';
import { fetchKeySet } from './jwks-download.js';
import { IssuerUnavailableError } from './token-exchange.errors.js';

/** Milliseconds after which keys are downloaded again. The issuer may have withdrawn a key. */
const FRESH_MS = 600_000;
const COOL_DOWN_MS = 30_000;
/** Minimum milliseconds between downloads while no keys are known. */
const RETRY_MS = 5_000;
const TIMEOUT_MS = 5_000;

export interface Jwks {
  /** Key lookup for `jwtVerify`. Reads only the token's `alg` and `kid`, never a URL or a key in the token. */
  readonly key: JWTVerifyGetKey;
}

export function inlineJwks(keys: JSONWebKeySet): Jwks {
  return { key: createLocalJWKSet(keys) };
}

/** Keys of an issuer's URL. The known keys remain valid while the issuer is unreachable, but jose would drop them. */
export class RemoteJwks implements Jwks {
  private readonly logger = new Logger(RemoteJwks.name);
  private readonly remote: RemoteJWKSet;
  private readAt = Number.NEGATIVE_INFINITY;
  private triedAt = Number.NEGATIVE_INFINITY;
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
    if (this.clock.now() - this.readAt >= FRESH_MS) await this.reload();
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
   * Downloads the keys, unless the last download was too recent. Concurrent callers share a download.
   *
   * @returns whether a download was attempted
   */
  private async reload(): Promise<boolean> {
    const interval = this.remote.fresh ? COOL_DOWN_MS : RETRY_MS;
    if (!this.remote.reloading) {
      if (this.clock.now() - this.triedAt < interval) return false;
      this.triedAt = this.clock.now();
    }
    try {
      await this.remote.reload();
      this.readAt = this.clock.now();
    } catch (error) {
      if (this.error !== error)
        this.logger.warn({ err: error, url: this.url, msg: 'The keys of a token issuer could not be read.' });
      this.error = error;
    }
    return true;
  }
}
