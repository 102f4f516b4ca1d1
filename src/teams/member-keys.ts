import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { Write } from '../storage/index.js';

export interface MemberKeysAdapter {
  /**
   * Returns writes that delete every API key of a person in a team. Blocking the keys would not suffice, because the
   * keys would work again if the person returned to the team.
   */
  end(teamId: string, userId: string): readonly Write[];
}

@Injectable()
export class MemberKeys extends Port<MemberKeysAdapter> {}
