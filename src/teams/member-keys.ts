import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { Write } from '../storage/index.js';

export interface MemberKeysAdapter {
  /**
   * Writes that delete every key of a person in a team. Blocked keys would work again after a return of the person.
   */
  end(teamId: string, userId: string): readonly Write[];
}

@Injectable()
export class MemberKeys extends Port<MemberKeysAdapter> {}
