import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type Statement, statementOf } from '../platform/index.js';
import { SetUpLinkEntity } from './set-up-link.entity.js';

@Injectable()
export class SetUpLinkRepository {
  constructor(@InjectRepository(SetUpLinkEntity) private readonly links: Repository<SetUpLinkEntity>) {}

  insert(link: SetUpLinkEntity): Statement {
    return statementOf(this.links.createQueryBuilder().insert().values(link));
  }

  deleteExpired(now: string): Statement {
    return statementOf(this.links.createQueryBuilder().delete().where('expires_at <= :now', { now }));
  }
}
