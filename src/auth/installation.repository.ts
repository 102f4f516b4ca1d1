import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type Statement, statementOf } from '../storage/index.js';
import { InstallationEntity } from './installation.entity.js';

const ROW = 1;

@Injectable()
export class InstallationRepository {
  constructor(@InjectRepository(InstallationEntity) private readonly rows: Repository<InstallationEntity>) {}

  /**
   * @param onDuplicate creates the error of the commit if the service is already set up
   */
  insert(createdAt: string, onDuplicate: () => Error): Statement {
    return statementOf(this.rows.createQueryBuilder().insert().values({ id: ROW, createdAt }), {
      onDuplicate,
    });
  }
}
