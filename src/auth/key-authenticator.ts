import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import {
  AddressNotAllowedError,
  KeyUsage,
  KeyVerifier,
  mayBeUsedFrom,
  principalOf,
  type VerifiedKey,
} from '../keys/index.js';

/** Finds who calls, from a key and the address it is used from; for HTTP and for sockets. */
@Injectable()
export class KeyAuthenticator {
  constructor(
    private readonly verifier: KeyVerifier,
    private readonly usage: KeyUsage,
  ) {}

  /**
   * The principal, where the key is remembered as valid; costs some microseconds and no await.
   * @throws AddressNotAllowedError as `authenticate` does.
   */
  peek(secret: string, address: string): Principal | undefined {
    const key = this.verifier.peek(secret);
    return key === undefined ? undefined : this.admit(key, address);
  }

  /**
   * The principal behind a key.
   * @throws InvalidKeyError when the key is malformed, unknown or deleted, or its owner is switched off or gone.
   * @throws ExpiredKeyError when its time is over.
   * @throws AddressNotAllowedError when its own list or its owner's does not hold the address.
   */
  async authenticate(secret: string, address: string): Promise<Principal> {
    return this.admit(await this.verifier.verify(secret), address);
  }

  private admit(key: VerifiedKey, address: string): Principal {
    if (!mayBeUsedFrom(key, address)) throw new AddressNotAllowedError(address);
    this.usage.record(key.rights.keyId, address);
    return principalOf(key, address);
  }
}
