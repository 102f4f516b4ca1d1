import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type Statement, statementOf } from '../platform/index.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** Keys that were given in exchange for an identity provider's tokens: many, short-lived, and nobody's to keep. */
@Injectable()
export class ExchangedKeys {
  constructor(@InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>) {}

  /** Removes those whose time was over before an instant. */
  deleteExpired(before: string): Statement {
    return statementOf(
      this.keys
        .createQueryBuilder()
        .delete()
        .where("origin = 'exchanged' AND expires_at IS NOT NULL AND expires_at < :before", { before }),
    );
  }
}
