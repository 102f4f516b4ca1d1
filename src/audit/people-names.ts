import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';

export interface PeopleNamesAdapter {
  /** Returns names of users by user id. Unknown users are absent. */
  of(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the ids of at most 1,000 users whose name or email address contains a text, ignoring case. */
  search(text: string): Promise<readonly string[]>;
}

@Injectable()
export class PeopleNames extends Port<PeopleNamesAdapter> {}
