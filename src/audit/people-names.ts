import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';

/** Port to the names of people. */
export interface PeopleNamesAdapter {
  /** Names by user id; an unknown person is absent. */
  of(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Ids of at most 1,000 people whose name or email address contains a text, ignoring case. */
  search(text: string): Promise<readonly string[]>;
}

@Injectable()
export class PeopleNames extends Port<PeopleNamesAdapter> {}
