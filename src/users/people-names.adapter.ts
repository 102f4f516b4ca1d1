import { Injectable } from '@nestjs/common';
import { PeopleNames, type PeopleNamesAdapter } from '../audit/index.js';
import { UsersRepository } from './users.repository.js';

/** Returns the names of people for the audit log. For a person without a name, the email address is used. */
@Injectable()
export class StoredPeopleNames implements PeopleNamesAdapter {
  constructor(
    private readonly users: UsersRepository,
    port: PeopleNames,
  ) {
    port.connect(this);
  }

  async of(userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const users = await this.users.findByIds(userIds);
    return new Map(users.map(({ id, name, email }) => [id, name === '' ? email : name]));
  }

  search(text: string): Promise<readonly string[]> {
    return this.users.idsByText(text);
  }
}
