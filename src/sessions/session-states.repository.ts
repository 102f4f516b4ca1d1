import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type Statement, statementOf } from '../storage/index.js';
import { SessionStateChangeEntity } from './session-state-change.entity.js';

@Injectable()
export class SessionStatesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async find(id: string): Promise<SessionStateChangeEntity | null> {
    return this.dataSource
      .createQueryBuilder(SessionStateChangeEntity, 'c')
      .where('c.id = :id', { id })
      .getOne();
  }

  forgetting(since: string): Statement {
    const builder = this.dataSource.createQueryBuilder();
    return statementOf(
      builder.delete().from(SessionStateChangeEntity).where('created_at < :since', { since }),
    );
  }

  recording(change: SessionStateChangeEntity, since: string, onDuplicate: () => Error): readonly Statement[] {
    const row: object = change;
    return [
      this.forgetting(since),
      statementOf(this.dataSource.createQueryBuilder().insert().into(SessionStateChangeEntity).values(row), {
        onDuplicate,
      }),
    ];
  }
}
