import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { DIALECT, type Dialect, insertStatement, markedStatement, type Statement } from '../storage/index.js';
import { IdempotencyEntity } from './idempotency.entity.js';
import type { KeyClaim, StoredResponse } from './key-claim.js';

@Injectable()
export class IdempotencyRepository {
  constructor(
    @InjectRepository(IdempotencyEntity) private readonly keys: Repository<IdempotencyEntity>,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  /** @param since ISO 8601; older claims are ignored */
  async find(id: string, since: string): Promise<IdempotencyEntity | null> {
    return this.keys
      .createQueryBuilder('k')
      .where('k.id = :id AND k.createdAt >= :since', { id, since })
      .getOne();
  }

  /** Returns the statements that claim an idempotency key for the resource that the request creates. */
  claim(claim: KeyClaim, since: string, onDuplicate: () => Error): readonly Statement[] {
    const row: IdempotencyEntity = { ...claim, status: null, headers: null, body: null };
    return [this.forget(since), insertStatement(this.keys, row, { onDuplicate })];
  }

  /**
   * Returns the statements that store the response of a request. The statements change nothing if the key already has a
   * response or belongs to another resource.
   */
  store(claim: KeyClaim, { status, headers, body }: StoredResponse, since: string): readonly Statement[] {
    const { id, requestHash, resourceId, createdAt } = claim;
    return [
      this.forget(since),
      markedStatement(
        this.dialect,
        `INSERT INTO idempotency_keys (id, request_hash, resource_id, status, headers, body, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, headers = excluded.headers, body = excluded.body
         WHERE idempotency_keys.status IS NULL
           AND idempotency_keys.resource_id IS NOT DISTINCT FROM excluded.resource_id`,
        [id, requestHash, resourceId, status, JSON.stringify(headers), body, createdAt],
      ),
    ];
  }

  /**
   * Returns the statement that deletes all expired idempotency keys. Each write to the table runs the statement, because no
   * background task does.
   */
  private forget(since: string): Statement {
    return markedStatement(this.dialect, 'DELETE FROM idempotency_keys WHERE created_at < ?', [since]);
  }
}
