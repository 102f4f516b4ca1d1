import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type Statement, statementOf } from '../platform/index.js';
import { ApiKeyEntity } from './api-key.entity.js';

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

  insert(key: ApiKeyEntity): Statement {
    return statementOf(this.keys.createQueryBuilder().insert().values(key));
  }

  /** @param orFail thrown when the key is not there, or was deleted before */
  markDeleted(id: string, now: string, orFail: () => Error): Statement {
    return statementOf(
      this.keys
        .createQueryBuilder()
        .update()
        .set({ deletedAt: now, updatedAt: now })
        .where('id = :id', { id })
        .andWhere('deleted_at IS NULL'),
      { orFail },
    );
  }

  /** Notes the last use; an older note than the one that is there changes nothing. */
  markUsed(id: string, at: string, address: string): Statement {
    return statementOf(
      this.keys
        .createQueryBuilder()
        .update()
        .set({ lastUsedAt: at, lastUsedIp: address === '' ? null : address })
        .where('id = :id', { id })
        .andWhere('(last_used_at IS NULL OR last_used_at < :at)', { at }),
    );
  }
}
