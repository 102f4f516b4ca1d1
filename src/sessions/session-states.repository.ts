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

  insertion(change: SessionStateChangeEntity, onDuplicate: () => Error): Statement {
    return insertStatement(this.changes, change, { onDuplicate });
  }

  /**
   * Deletes state changes that were committed before a time.
   *
   * @param before ISO 8601
   */
  deletionBefore(before: string): Statement {
    return deleteStatement(this.changes, ['created_at < :before', { before }]);
  }
}
