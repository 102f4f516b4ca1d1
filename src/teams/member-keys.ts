import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { Write } from '../storage/index.js';

/** What teams ask about the keys of their members. */
export interface MemberKeysAdapter {
  /**
   * Ends every key that a person has in a team, for the commit by which the person leaves: were they only held
   * back, they would work again once the person returns.
   */
  end(teamId: string, userId: string): readonly Write[];
}

@Injectable()
export class MemberKeys extends Port<MemberKeysAdapter> {}
