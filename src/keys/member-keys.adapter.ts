import { type MemberKeysAdapter, MemberKeys } from '../teams/index.js';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { KeysRepository } from './keys.repository.js';

/** Adapter through which the module `teams` deletes the API keys of a member. */
@Injectable()
export class KeysOfMembers implements MemberKeysAdapter {
  constructor(
    private readonly keys: KeysRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    port: MemberKeys,
  ) {
    port.connect(this);
  }

  end(teamId: string, userId: string): readonly Write[] {
    return [this.keys.markAllDeleted(teamId, userId, isoTime(this.clock.now()))];
  }
}
