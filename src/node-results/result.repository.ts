import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { INLINE_LIMIT, LongValue } from '../long-values/index.js';
import type { Json } from '../expressions/index.js';
import { DIALECT, type Dialect, marked, type Statement, Writer } from '../storage/index.js';
import { isoTime } from '../platform/index.js';
import type { CachedResult } from './recent-results.js';
import { ResultEntity } from './result.entity.js';

export interface StoredResult extends CachedResult {
  readonly size: number;
}

@Injectable()
export class ResultRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {}

  async find(key: string): Promise<StoredResult | undefined> {
    const row = await this.dataSource
      .createQueryBuilder(ResultEntity, 'r')
      .where('r.id = :key', { key })
      .getOne();
    const { output = null, computedAt = null, expiresAt = '' } = row ?? {};
    if (output === null || computedAt === null) return undefined;
    return {
      output: output.length > INLINE_LIMIT ? LongValue.ofText(output) : (JSON.parse(output) as Json),
      size: output.length,
      computedAt: Date.parse(computedAt),
      expiresAt: Date.parse(expiresAt),
    };
  }

  /**
   * Claims the computation of a result. The claim fails if another live process holds it, or if a usable result is
   * stored.
   *
   * @param since epoch milliseconds; results computed at or before this time are too old
   * @returns true if this process now holds the claim
   */
  async claim(key: string, projectId: string, holder: string, since: number, now: number): Promise<boolean> {
    const at = isoTime(now);
    const claim = this.statement(
      `INSERT INTO results (id, project_id, expires_at, holder) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET holder = excluded.holder
       WHERE (results.holder IS NULL OR results.holder = excluded.holder
           OR results.holder NOT IN (SELECT i.id FROM instances AS i))
         AND (results.computed_at IS NULL OR results.computed_at <= ? OR results.expires_at <= ?)`,
      [key, projectId, at, holder, isoTime(since), at],
    );
    try {
      await this.writer.commit({ writes: [{ ...claim, orFail: () => new ClaimRefused() }] });
      return true;
    } catch (error) {
      if (error instanceof ClaimRefused) return false;
      throw error;
    }
  }

  async release(key: string, holder: string): Promise<void> {
    const release = this.statement('UPDATE results SET holder = NULL WHERE id = ? AND holder = ?', [
      key,
      holder,
    ]);
    await this.writer.commit({ writes: [release] });
  }

  async keep(key: string, projectId: string, result: CachedResult, text: string): Promise<void> {
    const keep = this.statement(
      `INSERT INTO results (id, project_id, output, computed_at, expires_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET output = excluded.output, computed_at = excluded.computed_at,
         expires_at = excluded.expires_at, holder = NULL`,
      [key, projectId, text, isoTime(result.computedAt), isoTime(result.expiresAt)],
    );
    await this.writer.commit({ writes: [keep] });
  }

  /**
   * Deletes expired results, except results that a live process is computing again.
   *
   * @returns the number of deleted results, at most `limit`
   */
  async removeExpired(now: number, limit: number): Promise<number> {
    const found = await this.dataSource
      .createQueryBuilder(ResultEntity, 'r')
      .select(['r.id'])
      .where('r.expiresAt <= :now', { now: isoTime(now) })
      .andWhere('(r.holder IS NULL OR r.holder NOT IN (SELECT i.id FROM instances i))')
      .limit(limit)
      .getMany();
    if (found.length === 0) return 0;
    // A process may have claimed a result since the read.
    const writes = found.map(({ id }) =>
      this.statement(
        `DELETE FROM results WHERE id = ? AND expires_at <= ?
           AND (holder IS NULL OR holder NOT IN (SELECT i.id FROM instances AS i))`,
        [id, isoTime(now)],
      ),
    );
    await this.writer.commit({ writes });
    return found.length;
  }

  private statement(sql: string, parameters: readonly unknown[]): Statement {
    return { sql: marked(this.dialect, sql), parameters };
  }
}

class ClaimRefused extends Error {}
