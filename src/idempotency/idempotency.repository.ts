import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { statementOf, DIALECT, type Dialect, type Statement } from '../storage/index.js';
import { IdempotencyEntity } from './idempotency.entity.js';

@Injectable()
export class IdempotencyRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  async find(id: string, since: string): Promise<IdempotencyEntity | null> {
    return this.dataSource
      .createQueryBuilder(IdempotencyEntity, 'k')
      .where('k.id = :id AND k.createdAt >= :since', { id, since })
      .getOne();
  }

  /** Claims a key for an answer. All that are older than `since` are forgotten on the way: nothing else removes them. */
  claim(answer: IdempotencyEntity, since: string, onDuplicate: () => Error): readonly Statement[] {
    const mark = this.dialect === 'postgres' ? '$1' : '?';
    return [
      { sql: `DELETE FROM idempotency_keys WHERE created_at < ${mark}`, parameters: [since] },
      statementOf(this.dataSource.createQueryBuilder().insert().into(IdempotencyEntity).values(answer), {
        onDuplicate,
      }),
    ];
  }

  /** The answer as it was given in the end, where it is not the one that was claimed. */
  replaceBody(id: string, body: string): Statement {
    return statementOf(
      this.dataSource.createQueryBuilder().update(IdempotencyEntity).set({ body }).where('id = :id', { id }),
    );
  }
}
