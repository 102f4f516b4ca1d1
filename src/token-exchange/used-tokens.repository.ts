import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { deleteStatement, insertStatement, type Statement } from '../storage/index.js';
import { UsedTokenEntity } from './used-token.entity.js';

@Injectable()
export class UsedTokensRepository {
  constructor(@InjectRepository(UsedTokenEntity) private readonly tokens: Repository<UsedTokenEntity>) {}

  async has(issuer: string, jti: string): Promise<boolean> {
    return this.tokens
      .createQueryBuilder('token')
      .where('token.issuer = :issuer AND token.jtiHash = :jtiHash', { issuer, jtiHash: hashOfJti(jti) })
      .getExists();
  }

  /**
   * Records a JWT as exchanged.
   *
   * @param onDuplicate returns the error with which the commit fails if the JWT was already exchanged
   */
  insert(
    { issuer, jti, expiresAt }: { readonly issuer: string; readonly jti: string; readonly expiresAt: string },
    onDuplicate: () => Error,
  ): Statement {
    const row: UsedTokenEntity = { issuer, jtiHash: hashOfJti(jti), expiresAt };
    return insertStatement(this.tokens, row, { onDuplicate });
  }

  deleteExpired(now: string): Statement {
    return deleteStatement(this.tokens, ['expires_at <= :now', { now }]);
  }
}

function hashOfJti(jti: string): string {
  return hash('sha256', jti, 'hex');
}
