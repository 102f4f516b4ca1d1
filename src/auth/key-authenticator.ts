import { Injectable } from '@nestjs/common';
import { type Principal, refusing } from '../access/index.js';
import { FailedAuthLimiter } from '../rate-limits/index.js';
import { MalformedAuthorizationError } from './auth.errors.js';
import { looksLikeViewToken } from './view-tokens/view-token.js';
import { ViewTokens } from './view-tokens/view-tokens.js';
import {
  AddressNotAllowedError,
  InvalidKeyError,
  KeyUsage,
  KeyVerifier,
  mayBeUsedFrom,
  principalOf,
  type VerifiedKey,
} from '../keys/index.js';

/** Authenticates callers of HTTP and WebSocket by API key or view token, and checks their IP address. */
@Injectable()
export class KeyAuthenticator {
  constructor(
    private readonly verifier: KeyVerifier,
    private readonly usage: KeyUsage,
    private readonly limiter: FailedAuthLimiter,
    private readonly viewTokens: ViewTokens,
  ) {}

  /**
   * Authenticates an API key without reading the database; undefined if the key is not cached.
   * @throws AddressNotAllowedError as `authenticate` does.
   */
  peek(secret: string, address: string): Principal | undefined {
    const key = this.verifier.peek(secret);
    return key === undefined ? undefined : this.admit(key, address);
  }

  /**
   * Authenticates a caller by API key or view token. Invalid keys are limited per IP address. Valid keys are never
   * counted or delayed.
   * @throws InvalidKeyError if the key is malformed, unknown or deleted, or its owner is disabled or deleted.
   * @throws ExpiredKeyError if the key has expired.
   * @throws AddressNotAllowedError if the address list of the key or of its owner excludes the address.
   * @throws InvalidViewTokenError, ExpiredViewTokenError for a view token.
   * @throws RateLimitError instead of InvalidKeyError if the service refused too many keys from the address recently.
   */
  async authenticate(secret: string, address: string): Promise<Principal> {
    if (looksLikeViewToken(secret)) return this.viewTokens.authenticate(secret, address);
    try {
      return this.admit(await this.verifier.verify(secret), address);
    } catch (error) {
      if (error instanceof InvalidKeyError) this.limiter.countFailure(address);
      throw error;
    }
  }

  /**
   * Counts a failed authentication of the IP address and throws an error.
   * @throws MalformedAuthorizationError; RateLimitError as `authenticate` does.
   */
  refuseMalformed(address: string): never {
    this.limiter.countFailure(address);
    throw new MalformedAuthorizationError();
  }

  private admit(key: VerifiedKey, address: string): Principal {
    if (!mayBeUsedFrom(key, address)) throw refusing(new AddressNotAllowedError(address), key.rights);
    this.usage.record(key.rights.keyId, address);
    return principalOf(key, address);
  }
}
