import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import type { Write } from '../storage/index.js';
import type { KeyMaker } from './api-key.js';
import type { KeyRights } from './key-rights.js';
import { InvalidKeyError, KeyChangedError } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';

/** Whoever makes or changes a key, and how far that one's own key reaches. */
export interface KeyCaller {
  readonly maker: KeyMaker;
  readonly limit: KeyRights;
  /** For the commit: that the own key is still there, unchanged. Otherwise a revoked key could leave another. */
  readonly guards: readonly Write[];
}

/** Finds how far the key reaches that a call is made with; as it is now, not as it is remembered. */
@Injectable()
export class KeyCallers {
  constructor(private readonly keys: KeysRepository) {}

  /** @throws InvalidKeyError when the key is gone meanwhile. */
  async of(principal: Principal): Promise<KeyCaller> {
    const { keyId, userId, teamId, role } = principal;
    if (keyId === null) {
      const { scopes, projectId } = principal;
      const limit = { scopes, projectId, allowedIps: null, expiresAt: null };
      return { maker: { userId, teamId, role, ...limit }, limit, guards: [] };
    }
    const row = await this.keys.findActiveById(keyId);
    if (row === null) throw new InvalidKeyError();
    const { scopes, projectId, allowedIps, expiresAt, issuer, plan } = row;
    const limit = { scopes, projectId, allowedIps, expiresAt };
    return {
      maker: { userId, teamId, role, issuer, plan, ...limit },
      limit,
      guards: [this.keys.requireUnchanged(row, () => new KeyChangedError())],
    };
  }
}
