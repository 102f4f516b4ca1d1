import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows, withText } from '../pages/index.js';
import {
  deleteStatement,
  DIALECT,
  type Dialect,
  insertStatement,
  marked,
  marksOf,
  type Statement,
  updateStatement,
} from '../storage/index.js';
import type { Retry } from './delivery.js';
import { RetryEntity } from './retry.entity.js';
import type { Webhook, WebhookStatus } from './webhook.js';
import { WebhookEntity } from './webhook.entity.js';
import { WebhookChangedError, WebhookLeaseLostError } from './webhooks.errors.js';

export interface WebhookFilter {
  readonly projectIds: readonly string[];
  readonly status?: WebhookStatus;
  /** Search text: a part of the URL or description, or a prefix of the id or of its last eight characters. */
  readonly q?: string;
}

/** Changes that the lease holder makes to a webhook's row. */
export interface Progress {
  readonly cursorPosition: number;
  readonly delivered: number;
  readonly failed: number;
  readonly failingSince: string | null;
  readonly skipped: Webhook['skipped'];
  /** End of the renewed lease, ISO 8601. Null releases the lease. */
  readonly leaseUntil: string | null;
  readonly dueAt: string | null;
  /** Why the commit disables the webhook. Null if the commit does not disable the webhook. */
  readonly disabledReason: string | null;
}

/** SQL expression for the highest journal position at the time of the commit. */
const JOURNAL_END = '(SELECT coalesce(max(position), 0) FROM journal)';

/** Maximum number of batches after the cursor that are counted for `lag_events`. */
const MAX_LAG_BATCHES = 10_000;

@Injectable()
export class WebhooksRepository {
  constructor(
    @InjectRepository(WebhookEntity) private readonly webhooks: Repository<WebhookEntity>,
    @InjectRepository(RetryEntity) private readonly webhookRetries: Repository<RetryEntity>,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  async find(id: string): Promise<Webhook | undefined> {
    return (await this.webhooks.createQueryBuilder('w').where('w.id = :id', { id }).getOne()) ?? undefined;
  }

  async list({ projectIds, status, q }: WebhookFilter, place: IdPlace): Promise<PageRows<Webhook>> {
    if (projectIds.length === 0) return { items: [], total: 0 };
    const query = this.webhooks
      .createQueryBuilder('w')
      .where('w.projectId IN (:...projectIds)', { projectIds });
    if (status !== undefined) query.andWhere('w.status = :status', { status });
    return pageById(withText(query, q, ['url', 'description']), place);
  }

  active(): Promise<readonly Webhook[]> {
    return this.webhooks
      .createQueryBuilder('w')
      .where('w.status = :status', { status: 'active' })
      .orderBy('w.id', 'ASC')
      .getMany();
  }

  /**
   * Returns the number of undelivered events of each webhook, including events that the webhook does not select. Counts
   * at most 10,000 batches after the cursor.
   */
  async lags(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.webhooks.query<readonly { readonly id: string; readonly lag: number | string }[]>(
      marked(
        this.dialect,
        `SELECT w.id, coalesce((
            SELECT sum(ahead.events) FROM (
              SELECT j.last_sequence - j.first_sequence + 1 AS events FROM journal AS j
              WHERE j.project_id = w.project_id AND j.position > w.cursor_position
              ORDER BY j.position LIMIT ${MAX_LAG_BATCHES}) AS ahead), 0)
          + coalesce((
            SELECT sum((SELECT j.last_sequence FROM journal AS j WHERE j.execution_id = r.execution_id
              ORDER BY j.first_sequence DESC LIMIT 1) - r.after_sequence)
            FROM webhook_retries AS r WHERE r.webhook_id = w.id), 0) AS lag
         FROM webhooks AS w WHERE w.id IN (${marksOf(ids)})`,
      ),
      [...ids],
    );
    return new Map(rows.map(({ id, lag }) => [id, Number(lag)]));
  }

  async activeLag(): Promise<number> {
    const active = await this.active();
    const lags = await this.lags(active.map(({ id }) => id));
    return [...lags.values()].reduce((sum, lag) => sum + lag, 0);
  }

  retries(webhookId: string): Promise<readonly RetryEntity[]> {
    return this.webhookRetries
      .createQueryBuilder('r')
      .where('r.webhookId = :webhookId', { webhookId })
      .getMany();
  }

  insertion(webhook: Webhook): Statement {
    return insertStatement(this.webhooks, webhook);
  }

  change(id: string, revision: number, changes: object): Statement {
    return updateStatement(
      this.webhooks,
      { ...changes, revision: revision + 1 },
      { id, revision },
      { orFail: () => new WebhookChangedError() },
    );
  }

  /** Stops the deliveries of a webhook, and records the current end of the journal. */
  pause(id: string, revision: number, changes: Partial<Webhook>): Statement {
    return this.change(id, revision, { ...changes, inactiveFrom: () => JOURNAL_END });
  }

  /** Changes a webhook and ends its current lease, so that the holder of the lease can commit nothing more. */
  changeAndEndLease(id: string, revision: number, changes: Partial<Webhook>): Statement {
    return this.change(id, revision, {
      ...changes,
      leaseUntil: null,
      leaseEpoch: () => 'lease_epoch + 1',
    });
  }

  /** Takes the lease of a webhook. The commit fails with `WebhookLeaseLostError` if another process was first. */
  acquisition({ id, leaseEpoch }: Webhook, owner: string, until: string): Statement {
    return updateStatement(
      this.webhooks,
      { leaseOwner: owner, leaseUntil: until, leaseEpoch: leaseEpoch + 1, dueAt: null },
      [`id = :id AND lease_epoch = :leaseEpoch AND status = 'active'`, { id, leaseEpoch }],
      { orFail: () => new WebhookLeaseLostError() },
    );
  }

  /** Stores results of the lease holder. The commit fails with `WebhookLeaseLostError` if the lease was lost. */
  progress(id: string, leaseEpoch: number, done: Progress): Statement {
    return updateStatement(
      this.webhooks,
      {
        cursorPosition: done.cursorPosition,
        failingSince: done.failingSince,
        skipped: done.skipped,
        leaseUntil: done.leaseUntil,
        dueAt: done.dueAt,
        ...(done.delivered === 0 ? {} : { deliveredTotal: () => `delivered_total + ${done.delivered}` }),
        ...(done.failed === 0 ? {} : { failedTotal: () => `failed_total + ${done.failed}` }),
        ...(done.disabledReason === null
          ? {}
          : { status: 'disabled', statusReason: done.disabledReason, inactiveFrom: () => JOURNAL_END }),
      },
      { id, leaseEpoch },
      { orFail: () => new WebhookLeaseLostError() },
    );
  }

  retryReplacement(retry: Retry): readonly Statement[] {
    return [
      this.retryDeletion(retry.webhookId, retry.executionId),
      insertStatement(this.webhookRetries, retry),
    ];
  }

  retryDeletion(webhookId: string, executionId: string): Statement {
    return deleteStatement(this.webhookRetries, { webhookId, executionId });
  }

  /** Deletes the retries of events after a journal position, because a replay sends these events again. */
  retryDeletionAfter(webhookId: string, position: number): Statement {
    return deleteStatement(this.webhookRetries, [
      'webhook_id = :webhookId AND position > :position',
      { webhookId, position },
    ]);
  }

  /**
   * Sets the time at which retries are due.
   * @param deliveryId delivery whose retry is changed; default: all retries of the webhook
   */
  retriesDueAt(webhookId: string, at: string, deliveryId?: string): Statement {
    const rows = deliveryId === undefined ? { webhookId } : { webhookId, deliveryId };
    return updateStatement(this.webhookRetries, { nextAttemptAt: at }, rows);
  }

  /** Sets the time at which the next retry of a webhook is due. */
  dueAt(id: string, at: string): Statement {
    return updateStatement(this.webhooks, { dueAt: at }, { id });
  }

  deletion(id: string, revision: number): readonly Statement[] {
    return [
      deleteStatement(this.webhooks, { id, revision }, { orFail: () => new WebhookChangedError() }),
      ...['webhook_retries', 'webhook_deliveries'].map((table) => ({
        sql: marked(this.dialect, `DELETE FROM ${table} WHERE webhook_id = ?`),
        parameters: [id],
      })),
    ];
  }

  deletionOfProject(projectId: string): readonly Statement[] {
    const own = 'webhook_id IN (SELECT id FROM webhooks WHERE project_id = ?)';
    return [
      `DELETE FROM webhook_retries WHERE ${own}`,
      `DELETE FROM webhook_deliveries WHERE ${own}`,
      'DELETE FROM webhooks WHERE project_id = ?',
    ].map((sql) => ({ sql: marked(this.dialect, sql), parameters: [projectId] }));
  }
}
