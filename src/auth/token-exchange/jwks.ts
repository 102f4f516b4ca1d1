import { Logger } from '@nestjs/common';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import type { Clock } from '../../platform/index.js';
import { downloadJwks } from './jwks-download.js';
import { IssuerUnavailableError } from './token-exchange.errors.js';

/** Keys are read again after so long, so that one which its issuer withdrew stops counting. */
const FRESH_MS = 600_000;
/** The issuer is asked no more often than this, whatever tokens come. */
export const COOL_DOWN_MS = 30_000;
/** Nor, while nothing is known of its keys, than this. */
export const RETRY_MS = 5_000;

/** The keys of one issuer. */
export interface Jwks {
  /** For `jwtVerify`; looks only at the token's `alg` and `kid`, never at a URL or a key in it. */
  readonly key: JWTVerifyGetKey;
}

/** Keys that stand in the configuration. */
export function inlineJwks(keys: JSONWebKeySet): Jwks {
  return { key: createLocalJWKSet(keys) };
}

/**
 * Keys that are read from the issuer and remembered. A token with an unknown `kid` has them read again, once in a
 * cool-down. While the issuer is away, the keys that are known go on to count.
 */
export class RemoteJwks implements Jwks {
  private readonly logger = new Logger(RemoteJwks.name);
  private keys: LocalJWKSet | undefined;
  private readAt = Number.NEGATIVE_INFINITY;
  private triedAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;
  private fault: unknown;

  constructor(
    private readonly url: string,
    private readonly clock: Clock,
  ) {}

  /** @throws IssuerUnavailableError when no keys are known and none can be read. */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    if (this.clock.now() - this.readAt >= FRESH_MS) await this.readAgain();
    try {
      return await this.known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await this.readAgain())) throw error;
      return this.known(header, token);
    }
  };

  private readonly known: JWTVerifyGetKey = (header, token) => {
    if (this.keys === undefined) throw new IssuerUnavailableError(RETRY_MS / 1000, this.fault);
    return this.keys(header, token);
  };

  /** Whether the keys were read again, be it by another token's wish; callers at the same time share one question. */
  private async readAgain(): Promise<boolean> {
    const interval = this.keys === undefined ? RETRY_MS : COOL_DOWN_MS;
    if (this.reading === undefined && this.clock.now() - this.triedAt < interval) return false;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    await this.reading;
    return true;
  }

  private async read(): Promise<void> {
    this.triedAt = this.clock.now();
    try {
      this.keys = createLocalJWKSet(await downloadJwks(this.url));
      this.readAt = this.clock.now();
    } catch (error) {
      this.fault = error;
      this.logger.warn({ err: error, url: this.url, msg: 'The keys of a token issuer could not be read.' });
    }
  }
}
