import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows, withText } from '../pages/index.js';
import { insertStatement, type Statement, updateStatement } from '../storage/index.js';
import type { KeyEnvironment } from './api-key.js';
import { ApiKeyEntity } from './api-key.entity.js';

export interface KeyFilter {
  readonly teamId: string;
  readonly userId?: string;
  readonly projectId?: string;
  readonly environment?: KeyEnvironment;
  /**
   * Search text. A key matches if the text is part of its name, prefix or last four characters. A key also matches if
   * the text is the start of its id, or of the last 8 characters of its id.
   */
  readonly q?: string;
  readonly now: string;
}

type ChangedKey = Pick<
  ApiKeyEntity,
  | 'id'
  | 'name'
  | 'environment'
  | 'scopes'
  | 'projectId'
  | 'allowedIps'
  | 'expiresAt'
  | 'replacedBy'
  | 'updatedAt'
>;

@Injectable()
export class KeysRepository {
  constructor(@InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>) {}

  findActiveByHash(hash: string): Promise<ApiKeyEntity | null> {
    return this.keys
      .createQueryBuilder('key')
      .where('key.hash = :hash', { hash })
      .andWhere('key.deletedAt IS NULL')
      .getOne();
  }

  findActiveById(id: string): Promise<ApiKeyEntity | null> {
    return this.keys
      .createQueryBuilder('key')
      .where('key.id = :id', { id })
      .andWhere('key.deletedAt IS NULL')
      .getOne();
  }

  findActiveByIds(ids: readonly string[]): Promise<readonly ApiKeyEntity[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.keys
      .createQueryBuilder('key')
      .where('key.id IN (:...ids)', { ids })
      .andWhere('key.deletedAt IS NULL')
      .getMany();
  }

  /**
   * Lists the keys of a team, ordered by id. Omits deleted keys, and expired keys that were rotated or exchanged for a
   * JWT.
   */
  async list(filter: KeyFilter, place: IdPlace): Promise<PageRows<ApiKeyEntity>> {
    const { teamId, userId, projectId, environment, q, now } = filter;
    const query = this.keys
      .createQueryBuilder('key')
      .where('key.teamId = :teamId AND key.deletedAt IS NULL', { teamId })
      .andWhere(
        "NOT ((key.replacedBy IS NOT NULL OR key.origin = 'exchanged') AND key.expiresAt IS NOT NULL" +
          ' AND key.expiresAt <= :now)',
        { now },
      );
    if (userId !== undefined) query.andWhere('key.userId = :userId', { userId });
    if (projectId !== undefined) query.andWhere('key.projectId = :projectId', { projectId });
    if (environment !== undefined) query.andWhere('key.environment = :environment', { environment });
    withText(query, q, ['name', 'prefix', 'lastFour']);
    return pageById(query, place);
  }

  /**
   * Counts the keys of a user that count towards the maximum number of keys. Expired, rotated and exchanged keys do not
   * count.
   */
  countOfUser(userId: string, now: string): Promise<number> {
    return this.keys
      .createQueryBuilder('key')
      .where("key.userId = :userId AND key.deletedAt IS NULL AND key.origin <> 'exchanged'", { userId })
      .andWhere('key.replacedBy IS NULL AND (key.expiresAt IS NULL OR key.expiresAt > :now)', { now })
      .getCount();
  }

  findActiveOfUser(userId: string): Promise<readonly ApiKeyEntity[]> {
    return this.keys
      .createQueryBuilder('key')
      .where('key.userId = :userId AND key.deletedAt IS NULL', { userId })
      .getMany();
  }

  insert(key: ApiKeyEntity): Statement {
    return insertStatement(this.keys, key);
  }

  /** @param orFail returns the error for a key that does not exist or is already deleted */
  markDeleted(id: string, now: string, orFail: () => Error): Statement {
    return updateStatement(
      this.keys,
      { deletedAt: now, updatedAt: now },
      { id, deletedAt: null },
      { orFail },
    );
  }

  markAllDeleted(teamId: string, userId: string, now: string): Statement {
    return updateStatement(
      this.keys,
      { deletedAt: now, updatedAt: now },
      { teamId, userId, deletedAt: null },
    );
  }

  /**
   * Updates a key. The commit fails if the key was deleted, or if its time of last change is no longer `readUpdatedAt`.
   */
  update(
    { id, name, environment, scopes, projectId, allowedIps, expiresAt, replacedBy, updatedAt }: ChangedKey,
    readUpdatedAt: string,
    orFail: () => Error,
  ): Statement {
    const changed = { name, environment, scopes, projectId, allowedIps, expiresAt, replacedBy, updatedAt };
    return this.guarded(changed, id, readUpdatedAt, orFail);
  }

  /**
   * Returns a statement that changes nothing, but makes the commit fail if the key was changed or deleted
   * after the read.
   */
  requireUnchanged({ id, updatedAt }: ApiKeyEntity, orFail: () => Error): Statement {
    return this.guarded({ updatedAt }, id, updatedAt, orFail);
  }

  /** Stores the last use of a key, unless a later use is already stored. */
  markUsed(id: string, at: string, address: string): Statement {
    return updateStatement(this.keys, { lastUsedAt: at, lastUsedIp: address === '' ? null : address }, [
      'id = :id AND (last_used_at IS NULL OR last_used_at < :at)',
      { id, at },
    ]);
  }

  private guarded(
    changed: Partial<ApiKeyEntity>,
    id: string,
    readUpdatedAt: string,
    orFail: () => Error,
  ): Statement {
    return updateStatement(this.keys, changed, { id, deletedAt: null, updatedAt: readUpdatedAt }, { orFail });
  }
}
