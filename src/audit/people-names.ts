import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';

export interface PeopleNamesAdapter {
  /** Unknown people are absent. */
  of(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Ids of at most 1,000 people. Ignores case, and also searches email addresses. */
  search(text: string): Promise<readonly string[]>;
}

@Injectable()
export class PeopleNames extends Port<PeopleNamesAdapter> {}
