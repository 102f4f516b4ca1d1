import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { Write } from '../storage/index.js';

/** Port to the keys of team members. */
export interface MemberKeysAdapter {
  /**
   * Writes that delete every key of a person in a team, for the commit in which the person leaves. If keys were only
   * blocked, they would work again when the person returns.
   */
  end(teamId: string, userId: string): readonly Write[];
}

@Injectable()
export class MemberKeys extends Port<MemberKeysAdapter> {}
