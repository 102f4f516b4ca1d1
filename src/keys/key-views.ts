import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { isoTime } from '../platform/index.js';
import type { ApiKey } from './api-key.js';
import { apiKeyOnWire, type ApiKeyRecord } from './api-key.wire.js';
import { KeyUsage } from './key-usage.js';

/** Keys for responses, including last uses that are not in the database yet. */
@Injectable()
export class KeyViews {
  constructor(private readonly usage: KeyUsage) {}

  of(key: ApiKey, { plan }: Pick<Principal, 'plan'>): ApiKeyRecord {
    return apiKeyOnWire(this.withLatestUse(key), plan);
  }

  /** Adds the key's last use in this process. */
  withLatestUse(key: ApiKey): ApiKey {
    const use = this.usage.latest(key.id);
    if (use === undefined || (key.lastUsedAt !== null && Date.parse(key.lastUsedAt) >= use.at)) return key;
    return { ...key, lastUsedAt: isoTime(use.at), lastUsedIp: use.address === '' ? null : use.address };
  }
}
