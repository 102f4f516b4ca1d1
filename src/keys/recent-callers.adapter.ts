import { type RecentCallersAdapter, type RecentCaller, RecentCallers } from '../users/index.js';
import { Injectable } from '@nestjs/common';
import { KeyViews } from './key-views.js';
import { KeysRepository } from './keys.repository.js';
import { keyOf } from './keys.service.js';

/** Adapter through which the module `users` reads when API keys were last used. */
@Injectable()
export class CallersOfUsers implements RecentCallersAdapter {
  constructor(
    private readonly keys: KeysRepository,
    private readonly views: KeyViews,
    port: RecentCallers,
  ) {
    port.connect(this);
  }

  async of(userId: string): Promise<readonly RecentCaller[]> {
    const rows = await this.keys.findActiveOfUser(userId);
    return rows
      .flatMap((row): readonly RecentCaller[] => {
        const { id, name, teamId, lastUsedAt, lastUsedIp } = this.views.withLatestUse(keyOf(row));
        if (lastUsedAt === null || lastUsedIp === null) return [];
        return [{ keyId: id, keyName: name, teamId, address: lastUsedIp, lastUsedAt }];
      })
      .sort((left, right) => (left.lastUsedAt < right.lastUsedAt ? 1 : -1));
  }
}
