import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { deleteStatement, type Statement, updateStatement } from '../storage/index.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** Number of valid keys of one team that were issued for JWTs of one token issuer. */
export interface IssuerKeys {
  readonly teamId: string;
  readonly count: number;
}

/** Repository of the API keys that were exchanged for JWTs of an identity provider. */
@Injectable()
export class ExchangedKeys {
  constructor(@InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>) {}

  /** Deletes the exchanged keys that expired before the given time. */
  deleteExpired(before: string): Statement {
    return deleteStatement(this.keys, [
      `origin = 'exchanged' AND expires_at IS NOT NULL AND expires_at < :before`,
      { before },
    ]);
  }

  /**
   * Counts the valid keys of a token issuer by team. The counts include keys that were created with an exchanged key.
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
    return updateStatement(this.keys, { deletedAt: now, updatedAt: now }, { issuer, deletedAt: null });
  }
}
