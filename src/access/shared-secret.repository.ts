import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, Writer } from '../storage/index.js';
import { SharedSecretEntity } from './shared-secret.entity.js';

const ROW = 1;

@Injectable()
export class SharedSecretRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {}

  /**
   * Returns the shared secret, and creates it on the first call. If several processes create the secret, the first
   * commit wins.
   */
  async ensure(): Promise<string> {
    const known = await this.find();
    if (known !== undefined) return known;
    const secret = randomBytes(32).toString('base64');
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
      .createQueryBuilder(SharedSecretEntity, 's')
      .where('s.id = :id', { id: ROW })
      .getOne();
    return row?.secret;
  }
}
