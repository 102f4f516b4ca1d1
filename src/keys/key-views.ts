import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { isoTime } from '../platform/index.js';
import type { ApiKey } from './api-key.js';
import { apiKeyOnWire, type ApiKeyRecord } from './api-key.wire.js';
import { KeyUsage } from './key-usage.js';

/** Converts API keys to responses. A response may contain a later last use of the key than the database. */
@Injectable()
export class KeyViews {
  constructor(private readonly usage: KeyUsage) {}

  of(key: ApiKey, { plan }: Pick<Principal, 'plan'>): ApiKeyRecord {
    return apiKeyOnWire(this.withLatestUse(key), plan);
  }

  /** Adds the last use of the key in this process, if it is later than the use in the database. */
  withLatestUse(key: ApiKey): ApiKey {
    const use = this.usage.latest(key.id);
    if (use === undefined || (key.lastUsedAt !== null && Date.parse(key.lastUsedAt) >= use.at)) return key;
    return { ...key, lastUsedAt: isoTime(use.at), lastUsedIp: use.address === '' ? null : use.address };
  }
}
