import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { deleteStatement, insertStatement, type Statement, updateStatement } from '../storage/index.js';
import { SetUpLinkEntity } from './set-up-link.entity.js';

@Injectable()
export class SetUpLinkRepository {
  constructor(@InjectRepository(SetUpLinkEntity) private readonly links: Repository<SetUpLinkEntity>) {}

  async isOpen(hash: string, now: string): Promise<boolean> {
    const link = await this.links
      .createQueryBuilder('link')
      .where('link.hash = :hash', { hash })
      .andWhere('link.usedAt IS NULL AND link.expiresAt > :now', { now })
      .getOne();
    return link !== null;
  }

  /**
   * @param orFail creates the error of the commit if the link was used or has expired
   */
  markUsed(hash: string, now: string, orFail: () => Error): Statement {
    return updateStatement(
      this.links,
      { usedAt: now },
      ['hash = :hash AND used_at IS NULL AND expires_at > :now', { hash, now }],
      { orFail },
    );
  }

  insert(link: SetUpLinkEntity): Statement {
    return insertStatement(this.links, link);
  }

  deleteExpired(now: string): Statement {
    return deleteStatement(this.links, ['expires_at <= :now', { now }]);
  }
}
