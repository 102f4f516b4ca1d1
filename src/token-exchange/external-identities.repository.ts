import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { insertStatement, type Statement } from '../storage/index.js';
import { ExternalIdentityEntity } from './external-identity.entity.js';

@Injectable()
export class ExternalIdentitiesRepository {
  constructor(
    @InjectRepository(ExternalIdentityEntity) private readonly identities: Repository<ExternalIdentityEntity>,
  ) {}

  find(issuer: string, subject: string): Promise<ExternalIdentityEntity | null> {
    return this.identities
      .createQueryBuilder('identity')
      .where('identity.issuer = :issuer AND identity.subject = :subject', { issuer, subject })
      .getOne();
  }

  insert(identity: ExternalIdentityEntity, onDuplicate: () => Error): Statement {
    return insertStatement(this.identities, identity, { onDuplicate });
  }
}
