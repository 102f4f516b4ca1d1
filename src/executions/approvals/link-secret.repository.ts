import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, Writer } from '../../platform/index.js';
import { LinkSecretEntity } from './link-secret.entity.js';

const ROW = 1;

@Injectable()
export class LinkSecretRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {}

  /** The secret that is kept; of several processes that bring one, the first is right. */
  async keep(secret: string): Promise<string> {
    const known = await this.find();
    if (known !== undefined) return known;
    const marks = this.dialect === 'postgres' ? '$1, $2' : '?, ?';
    const insert = {
      sql: `INSERT INTO link_secret (id, secret) VALUES (${marks}) ON CONFLICT (id) DO NOTHING`,
      parameters: [ROW, secret],
    };
    await this.writer.commit({ writes: [insert] });
    return (await this.find()) ?? secret;
  }

  async find(): Promise<string | undefined> {
    const row = await this.dataSource
      .createQueryBuilder(LinkSecretEntity, 's')
      .where('s.id = :id', { id: ROW })
      .getOne();
    return row?.secret;
  }
}
