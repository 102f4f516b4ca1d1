import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { insertStatement, type Statement } from '../storage/index.js';
import { InstallationEntity } from './installation.entity.js';

const ROW = 1;

@Injectable()
export class InstallationRepository {
  constructor(@InjectRepository(InstallationEntity) private readonly rows: Repository<InstallationEntity>) {}

  /**
   * @param onDuplicate creates the error of the commit if the service is already set up
   */
  insert(createdAt: string, onDuplicate: () => Error): Statement {
    return insertStatement(this.rows, { id: ROW, createdAt }, { onDuplicate });
  }
}
