import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { Write } from '../storage/index.js';

/** Port: the keys of team members. */
export interface MemberKeysAdapter {
  /**
   * Deletes every key of a person in a team, for the commit in which the person leaves. Keys that were only blocked
   * would work again when the person returns.
   */
  end(teamId: string, userId: string): readonly Write[];
}

@Injectable()
export class MemberKeys extends Port<MemberKeysAdapter> {}
