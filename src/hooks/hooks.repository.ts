import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows, withText } from '../pages/index.js';
import { deleteStatement, insertStatement, type Statement, updateStatement } from '../storage/index.js';
import type { Hook, HookStatus } from './hook.js';
import { HookEntity } from './hook.entity.js';
import { HookTokenEntity } from './hook-token.entity.js';
import { HookChangedError } from './hooks.errors.js';

export interface HookFilter {
  readonly projectIds: readonly string[];
  readonly workflowId?: string;
  readonly status?: HookStatus;
  /** Search text: part of the hook's name, start of its id, or start of the last eight characters of its id. */
  readonly q?: string;
}

@Injectable()
export class HooksRepository {
  constructor(
    @InjectRepository(HookEntity) private readonly hooks: Repository<HookEntity>,
    @InjectRepository(HookTokenEntity) private readonly hookTokens: Repository<HookTokenEntity>,
  ) {}

  async find(id: string): Promise<Hook | undefined> {
    return (await this.hooks.createQueryBuilder('h').where('h.id = :id', { id }).getOne()) ?? undefined;
  }

  /**
   * The hook to which an unexpired token belongs.
   * @param now ISO 8601
   */
  async findByToken(hash: string, now: string): Promise<Hook | undefined> {
    const hook = await this.hooks
      .createQueryBuilder('h')
      .innerJoin(HookTokenEntity, 't', 't.hookId = h.id')
      .where('t.hash = :hash AND (t.expiresAt IS NULL OR t.expiresAt > :now)', { hash, now })
      .getOne();
    return hook ?? undefined;
  }

  async list({ projectIds, workflowId, status, q }: HookFilter, place: IdPlace): Promise<PageRows<Hook>> {
    if (projectIds.length === 0) return { items: [], total: 0 };
    const query = this.hooks.createQueryBuilder('h').where('h.projectId IN (:...projectIds)', { projectIds });
    if (workflowId !== undefined) query.andWhere('h.workflowId = :workflowId', { workflowId });
    if (status !== undefined) query.andWhere('h.status = :status', { status });
    return pageById(withText(query, q, ['name']), place);
  }

  activeOf(projectId: string): Promise<readonly Hook[]> {
    return this.hooks
      .createQueryBuilder('h')
      .where(`h.projectId = :projectId AND h.status = 'active'`, { projectId })
      .getMany();
  }

  insertion(hook: Hook): Statement {
    return insertStatement(this.hooks, hook);
  }

  /** Updates a hook. The commit fails if the hook no longer has the given revision. */
  change(id: string, revision: number, changes: Partial<Hook>): Statement {
    return updateStatement(
      this.hooks,
      { ...changes, revision: revision + 1 },
      { id, revision },
      { orFail: () => new HookChangedError() },
    );
  }

  /**
   * Stores the time of the hook's last delivery.
   * @param at ISO 8601
   */
  lastDeliveryUpdate(id: string, at: string): Statement {
    return updateStatement(this.hooks, { lastDeliveryAt: at }, { id });
  }

  deletion(id: string, revision: number): Statement {
    return deleteStatement(this.hooks, { id, revision }, { orFail: () => new HookChangedError() });
  }

  tokenInsertion(hookId: string, hash: string): Statement {
    return insertStatement(this.hookTokens, { hash, hookId, expiresAt: null });
  }

  /**
   * Makes all tokens of a hook expire at the given time at the latest. Tokens that expire earlier do not change.
   * @param at ISO 8601
   */
  tokenExpiry(hookId: string, at: string): Statement {
    return updateStatement(this.hookTokens, { expiresAt: at }, [
      'hook_id = :hookId AND (expires_at IS NULL OR expires_at > :at)',
      { hookId, at },
    ]);
  }

  tokenDeletion(hookId: string): Statement {
    return deleteStatement(this.hookTokens, { hookId });
  }

  /**
   * Deletes expired tokens.
   * @param now ISO 8601
   */
  expiredTokenDeletion(now: string): Statement {
    return deleteStatement(this.hookTokens, ['expires_at < :now', { now }]);
  }
}
