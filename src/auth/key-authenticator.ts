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

/** Authenticates callers by a key or view token and their address, for HTTP and sockets. */
@Injectable()
export class KeyAuthenticator {
  constructor(
    private readonly verifier: KeyVerifier,
    private readonly usage: KeyUsage,
    private readonly limiter: FailedAuthLimiter,
    private readonly viewTokens: ViewTokens,
  ) {}

  /**
   * The principal if the key is in the cache; takes microseconds and no await.
   * @throws AddressNotAllowedError as `authenticate` does.
   */
  peek(secret: string, address: string): Principal | undefined {
    const key = this.verifier.peek(secret);
    return key === undefined ? undefined : this.admit(key, address);
  }

  /**
   * The principal of a key. An unknown key counts against the address. A valid one is neither counted nor delayed by
   * others at the same address.
   * @throws InvalidKeyError when the key is malformed, unknown or deleted, or its owner is disabled or deleted.
   * @throws ExpiredKeyError when the key has expired.
   * @throws AddressNotAllowedError when the key's or its owner's address list excludes the address.
   * @throws InvalidViewTokenError, ExpiredViewTokenError for a view token.
   * @throws RateLimitError instead of InvalidKeyError, when the address had too many refusals recently.
   */
  async authenticate(secret: string, address: string): Promise<Principal> {
    if (looksLikeViewToken(secret)) return this.viewTokens.authenticate(secret, address);
    try {
      return this.admit(await this.verifier.verify(secret), address);
    } catch (error) {
      if (error instanceof InvalidKeyError) this.limiter.refused(address);
      throw error;
    }
  }

  /**
   * Refuses a credential that is malformed.
   * @throws MalformedAuthorizationError; RateLimitError as `authenticate` does.
   */
  refuseMalformed(address: string): never {
    this.limiter.refused(address);
    throw new MalformedAuthorizationError();
  }

  private admit(key: VerifiedKey, address: string): Principal {
    if (!mayBeUsedFrom(key, address)) throw refusing(new AddressNotAllowedError(address), key.rights);
    this.usage.record(key.rights.keyId, address);
    return principalOf(key, address);
  }
}
