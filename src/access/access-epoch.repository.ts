import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Statement } from '../storage/index.js';
import { AccessEpochEntity } from './access-epoch.entity.js';

const ROW = 1;

@Injectable()
export class AccessEpochRepository {
  constructor(@InjectRepository(AccessEpochEntity) private readonly rows: Repository<AccessEpochEntity>) {}

  async read(): Promise<number> {
    const row = await this.rows.createQueryBuilder('row').where('row.id = :id', { id: ROW }).getOne();
    return row?.epoch ?? 0;
  }

  /**
   * Returns raw SQL, because query builders cannot express "stored value + 1". SQLite and PostgreSQL both accept this
   * SQL.
   */
  increment(): Statement {
    return {
      sql:
        `INSERT INTO access_epoch (id, epoch) VALUES (${ROW}, 1)` +
        ` ON CONFLICT (id) DO UPDATE SET epoch = access_epoch.epoch + 1`,
      parameters: [],
    };
  }
}
