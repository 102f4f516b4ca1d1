import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { withText } from '../pages/index.js';
import { insertStatement, type Statement, updateStatement } from '../storage/index.js';
import { UserEntity } from './user.entity.js';

/** Maximum number of people that a search by text finds. */
const MAX_FOUND = 1000;

@Injectable()
export class UsersRepository {
  constructor(@InjectRepository(UserEntity) private readonly users: Repository<UserEntity>) {}

  findById(id: string): Promise<UserEntity | null> {
    return this.users.createQueryBuilder('user').where('user.id = :id', { id }).getOne();
  }

  findByIds(ids: readonly string[]): Promise<readonly UserEntity[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.users.createQueryBuilder('user').where('user.id IN (:...ids)', { ids }).getMany();
  }

  findByEmail(email: string): Promise<UserEntity | null> {
    return this.users.createQueryBuilder('user').where('user.email = :email', { email }).getOne();
  }

  /** Returns the ids of at most 1000 people whose name or email address contains a text, ignoring case. */
  async idsByText(text: string): Promise<readonly string[]> {
    const users = await withText(this.users.createQueryBuilder('user').select('user.id'), text, [
      'name',
      'email',
    ])
      .limit(MAX_FOUND)
      .getMany();
    return users.map(({ id }) => id);
  }

  async hasAny(): Promise<boolean> {
    const first = await this.users.createQueryBuilder('user').select('user.id').limit(1).getOne();
    return first !== null;
  }

  /** Replaces the changeable fields of a user. The commit fails if the user changed after `readUpdatedAt`. */
  update(
    {
      id,
      name,
      allowedIps,
      preferences,
      updatedAt,
    }: Pick<UserEntity, 'id' | 'name' | 'allowedIps' | 'preferences' | 'updatedAt'>,
    readUpdatedAt: string,
    orFail: () => Error,
  ): Statement {
    return updateStatement(
      this.users,
      { name, allowedIps, preferences, updatedAt },
      { id, updatedAt: readUpdatedAt },
      { orFail },
    );
  }

  setPassword(id: string, passwordHash: string, updatedAt: string): Statement {
    return updateStatement(this.users, { passwordHash, updatedAt }, { id });
  }

  /** Makes a commit fail if the password of a user has changed. */
  requirePassword(id: string, passwordHash: string, orFail: () => Error): Statement {
    return updateStatement(this.users, { passwordHash }, { id, passwordHash }, { orFail });
  }

  insert(user: UserEntity, onDuplicate: () => Error): Statement {
    return insertStatement(this.users, user, { onDuplicate });
  }
}
