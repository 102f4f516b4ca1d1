import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { AuditTrail, type ResourceStates } from '../audit/index.js';
import { Encryption } from '../encryption/index.js';
import { ValidationError } from '../errors/index.js';
import { decodeCursor, JournalRepository, JournalTail } from '../journal/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import { changeTime, CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { ProjectDeletions, ProjectsService } from '../projects/index.js';
import type { Write } from '../storage/index.js';
import { WorkflowsService } from '../workflows/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { newSigningSecret } from './signing.js';
import { StoredEvents } from './stored-events.js';
import type { ReplayBody } from './webhook.dto.js';
import type { WebhookInput } from './webhook-input.js';
import { WebhookRunner } from './webhook-runner.js';
import { sealContext, type Webhook } from './webhook.js';
import { WebhookDisabledError, WebhookNotFoundError } from './webhooks.errors.js';
import { type WebhookFilter, WebhooksRepository } from './webhooks.repository.js';

const DEFAULTS = {
  description: '',
  events: ['workflow.*'],
  workflowIds: null,
  filter: null,
  format: 'envelope',
  status: 'active',
  statusReason: null,
  failingSince: null,
  deliveredTotal: 0,
  failedTotal: 0,
  oldSecret: null,
  oldSecretUntil: null,
  inactiveFrom: null,
  skipped: [],
  leaseOwner: null,
  leaseUntil: null,
  leaseEpoch: 0,
  dueAt: null,
  revision: 1,
} as const;

/** A webhook and its new signing secret, which is shown only once. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

@Injectable()
export class WebhooksService {
  constructor(
    private readonly repository: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly events: StoredEvents,
    private readonly journal: JournalRepository,
    private readonly tail: JournalTail,
    private readonly runner: WebhookRunner,
    private readonly projects: ProjectsService,
    private readonly workflows: WorkflowsService,
    private readonly encryption: Encryption,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
    deletions: ProjectDeletions,
  ) {
    deletions.register({
      countUnfinished: async () => 0,
      deletion: (projectId) => ({
        writes: repository.deletionOfProject(projectId),
        begin: async () => runner.changed(),
      }),
    });
  }

  /** @throws ProjectOutOfReachError; ValidationError; SecretsKeyMissingError. */
  async create(
    principal: Principal,
    projectId: string | undefined,
    input: WebhookInput & Pick<Webhook, 'url'>,
  ): Promise<WebhookWithSecret> {
    const project = await this.projects.resolve(principal, projectId);
    await this.requireWorkflows(project.id, input);
    const now = isoTime(this.clock.now());
    const id = newId();
    const secret = newSigningSecret();
    const webhook: Webhook = {
      ...DEFAULTS,
      ...input,
      ...{ id, projectId: project.id, createdAt: now, updatedAt: now },
      secret: this.encryption.seal(secret, sealContext(id)),
      // The cursor is read before the commit, so that events committed during the creation are delivered.
      cursorPosition: await this.tail.present(),
    };
    const write = this.repository.insertion(webhook);
    await this.commit(principal, 'webhook.created', { after: webhook }, [write], id);
    return { webhook, secret };
  }

  /** @throws WebhookNotFoundError; ProjectOutOfReachError. */
  async read(principal: Principal, id: string): Promise<Webhook> {
    const webhook = await this.repository.find(id);
    if (webhook === undefined) throw new WebhookNotFoundError(id);
    await this.projects.reach(principal, webhook.projectId);
    return webhook;
  }

  async list(
    principal: Principal,
    { projectId, ...filter }: Omit<WebhookFilter, 'projectIds'> & { readonly projectId?: string },
    place: IdPlace,
  ): Promise<PageRows<Webhook>> {
    const projectIds = await this.projects.idsWithin(principal, projectId);
    return this.repository.list({ ...filter, projectIds }, place);
  }

  lags(webhooks: readonly Webhook[]): Promise<ReadonlyMap<string, number>> {
    return this.repository.lags(webhooks.map(({ id }) => id));
  }

  /** @throws ValidationError; WebhookChangedError. */
  async change(principal: Principal, current: Webhook, input: WebhookInput): Promise<Webhook> {
    await this.requireWorkflows(current.projectId, input);
    const changes = { ...input, updatedAt: this.changedAt(current) };
    const statement = this.repository.change(current.id, current.revision, changes);
    return this.write(principal, 'webhook.updated', current, changes, [statement]);
  }

  /** @throws WebhookChangedError */
  async delete(principal: Principal, webhook: Webhook): Promise<void> {
    const writes = this.repository.deletion(webhook.id, webhook.revision);
    await this.commit(principal, 'webhook.deleted', { before: webhook }, writes);
  }

  /** @throws WebhookChangedError; SecretsKeyMissingError. */
  async rotateSecret(
    principal: Principal,
    current: Webhook,
    overlapSeconds: number,
  ): Promise<WebhookWithSecret> {
    const secret = newSigningSecret();
    const context = sealContext(current.id);
    const until = isoTime(this.clock.now() + overlapSeconds * 1_000);
    // The old secret is encrypted again with the current key. Otherwise, a concurrent `secrets rotate` could
    // miss it, and it would become unreadable once the earlier key is removed.
    const oldSecret = this.encryption.seal(this.encryption.open(current.secret, context), context);
    const changes = {
      secret: this.encryption.seal(secret, context),
      oldSecret: overlapSeconds === 0 ? null : oldSecret,
      oldSecretUntil: overlapSeconds === 0 ? null : until,
      updatedAt: this.changedAt(current),
    };
    const writes = [this.repository.change(current.id, current.revision, changes)];
    const webhook = await this.write(
      principal,
      'webhook.secret_rotated',
      current,
      changes,
      writes,
      current.id,
    );
    return { webhook, secret };
  }

  /**
   * Pauses a webhook and keeps its cursor. Has no effect on a paused webhook.
   *
   * @throws WebhookDisabledError; WebhookChangedError.
   */
  async pause(principal: Principal, current: Webhook): Promise<Webhook> {
    if (current.status === 'paused') return current;
    if (current.status === 'disabled') throw new WebhookDisabledError();
    const changes = { status: 'paused', updatedAt: this.changedAt(current) } as const;
    const statement = this.repository.pause(current.id, current.revision, changes);
    return this.write(principal, 'webhook.paused', current, changes, [statement]);
  }

  /**
   * Resumes a webhook from its cursor. Retries become due immediately. Has no effect on an active webhook.
   *
   * @param skip true to skip the events that occurred while the webhook was not active
   * @throws WebhookChangedError
   */
  async resume(principal: Principal, current: Webhook, skip: boolean): Promise<Webhook> {
    if (current.status === 'active') return current;
    const newest = await this.tail.present();
    const gap = { from: current.inactiveFrom ?? newest, to: newest };
    const changes = {
      status: 'active',
      statusReason: null,
      failingSince: null,
      inactiveFrom: null,
      skipped: skip ? [...current.skipped, gap] : current.skipped,
      updatedAt: this.changedAt(current),
    } as const;
    // The deliverer from before the pause may still wait for a response. If it kept its lease, its last commit would
    // overwrite `skipped` and `failingSince`.
    return this.write(principal, 'webhook.resumed', current, changes, [
      this.repository.changeAndEndLease(current.id, current.revision, changes),
      this.repository.retriesDueAt(current.id, isoTime(this.clock.now())),
    ]);
  }

  /**
   * Moves the cursor of a webhook back, so that later events are sent again.
   * @throws ValidationError for a cursor that is malformed, or older or newer than the journal
   * @throws WebhookDisabledError; WebhookChangedError.
   */
  async replay(principal: Principal, current: Webhook, start: ReplayBody): Promise<Webhook> {
    if (current.status === 'disabled') throw new WebhookDisabledError();
    const position = await this.replayPosition(start);
    const changes = { cursorPosition: position, skipped: [], updatedAt: this.changedAt(current) };
    return this.write(principal, 'webhook.replayed', current, changes, [
      this.repository.changeAndEndLease(current.id, current.revision, changes),
      this.deliveries.supersession(current.id, position),
      this.repository.retryDeletionAfter(current.id, position),
    ]);
  }

  private async replayPosition({ after, since }: ReplayBody): Promise<number> {
    if ((after === undefined) === (since === undefined))
      throw ValidationError.of(
        'after',
        'exactly_one',
        'is required unless since is set: set exactly one of them',
      );
    const bounds = await this.journal.bounds();
    if (since !== undefined) {
      if (Date.parse(since) > this.clock.now())
        throw ValidationError.of('since', 'in_future', 'must not be in the future');
      return this.events.positionBefore(Date.parse(since));
    }
    const cursor = decodeCursor(after ?? '');
    if (cursor === undefined)
      throw ValidationError.of('after', 'malformed_cursor', 'must be the cursor of an event');
    if (cursor.position > bounds.newest)
      throw ValidationError.of('after', 'cursor_unknown', 'must not be newer than the newest event');
    if (cursor.position < bounds.floor)
      throw ValidationError.of('after', 'cursor_expired', 'must not be older than the retained events');
    // All events of a batch have the same journal position. The replay therefore sends all events of the cursor's batch
    // again.
    return cursor.index === null ? cursor.position : Math.max(0, cursor.position - 1);
  }

  private async write(
    principal: Principal,
    action: `webhook.${string}`,
    before: Webhook,
    changes: Partial<Webhook>,
    writes: readonly Write[],
    madeId?: string,
  ): Promise<Webhook> {
    const next = { ...before, ...changes, revision: before.revision + 1 };
    await this.commit(principal, action, { before, after: next }, writes, madeId);
    return next;
  }

  private async commit(
    principal: Principal,
    action: `webhook.${string}`,
    states: ResourceStates<Webhook>,
    writes: readonly Write[],
    madeId?: string,
  ): Promise<void> {
    await this.audit.commitChange(principal, { action, ...states, recorded }, writes, madeId);
    this.runner.changed();
  }

  private changedAt({ updatedAt }: Webhook): string {
    return changeTime(updatedAt, this.clock.now());
  }

  private async requireWorkflows(projectId: string, { workflowIds }: WebhookInput): Promise<void> {
    for (const [index, id] of (workflowIds ?? []).entries())
      if ((await this.workflows.find(id))?.projectId !== projectId)
        throw ValidationError.of(
          `workflow_ids[${index}]`,
          'unknown_workflow',
          'must be a workflow of the same project',
        );
  }
}

/** Returns the fields of a webhook for the audit log. Secrets, and fields that each delivery changes, are omitted. */
function recorded({
  url,
  description,
  events,
  workflowIds,
  filter,
  format,
  status,
  statusReason,
}: Webhook): object {
  return { url, description, events, workflowIds, filter, format, status, statusReason };
}
