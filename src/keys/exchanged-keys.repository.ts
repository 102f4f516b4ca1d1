import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type Statement, statementOf } from '../storage/index.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** Number of a team's valid keys from a token issuer. */
export interface IssuerKeys {
  readonly teamId: string;
  readonly count: number;
}

/** Keys that were issued in exchange for tokens. People do not manage these many short-lived keys. */
@Injectable()
export class ExchangedKeys {
  constructor(@InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>) {}

  /** Deletes the keys that expired before a time. */
  deleteExpired(before: string): Statement {
    return statementOf(
      this.keys
        .createQueryBuilder()
        .delete()
        .where("origin = 'exchanged' AND expires_at IS NOT NULL AND expires_at < :before", { before }),
    );
  }

  /**
   * Counts the valid keys of an issuer by team, including keys that an exchanged key created.
   *
   * @param now ISO 8601
   */
  async countByTeam(issuer: string, now: string): Promise<readonly IssuerKeys[]> {
    const rows = await this.keys
      .createQueryBuilder('key')
      .select('key.team_id', 'teamId')
      .addSelect('COUNT(*)', 'count')
      .where('key.issuer = :issuer AND key.deletedAt IS NULL', { issuer })
      .andWhere('(key.expiresAt IS NULL OR key.expiresAt > :now)', { now })
      .groupBy('key.team_id')
      .orderBy('key.team_id')
      .getRawMany<{ teamId: string; count: number | string }>();
    return rows.map(({ teamId, count }) => ({ teamId, count: Number(count) }));
  }

  revoke(issuer: string, now: string): Statement {
    return statementOf(
      this.keys
        .createQueryBuilder()
        .update()
        .set({ deletedAt: now, updatedAt: now })
        .where('issuer = :issuer AND deleted_at IS NULL', { issuer }),
    );
  }
}
