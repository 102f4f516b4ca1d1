import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { deleteStatement, insertStatement, type Statement } from '../storage/index.js';
import { SessionStateChangeEntity } from './session-state-change.entity.js';

@Injectable()
export class SessionStatesRepository {
  constructor(
    @InjectRepository(SessionStateChangeEntity)
    private readonly changes: Repository<SessionStateChangeEntity>,
  ) {}

  async find(id: string): Promise<SessionStateChangeEntity | null> {
    return this.changes.createQueryBuilder('c').where('c.id = :id', { id }).getOne();
  }

  forgetting(since: string): Statement {
    return deleteStatement(this.changes, ['created_at < :since', { since }]);
  }

  recording(change: SessionStateChangeEntity, since: string, onDuplicate: () => Error): readonly Statement[] {
    return [this.forgetting(since), insertStatement(this.changes, change, { onDuplicate })];
  }
}
