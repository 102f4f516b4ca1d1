import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { AuditTrail } from '../audit/index.js';
import { ValidationError } from '../errors/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import { changeTime, CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { ProjectsService } from '../projects/index.js';
import { WorkflowsService } from '../workflows/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { HookChecks } from './hook-checks.js';
import type { HookInput } from './hook-input.js';
import { hashOfHookToken, newHookToken, shownPrefixOf } from './hook-token.js';
import type { Delivery, Hook, HookAction } from './hook.js';
import { HookNotFoundError } from './hooks.errors.js';
import { type HookFilter, HooksRepository } from './hooks.repository.js';

export interface NewHook {
  readonly projectId?: string;
  readonly workflowId: string | null;
  readonly action: HookAction;
}

/** A hook and its token in plain text. The database stores only a hash of the token. */
export interface HookWithToken {
  readonly hook: Hook;
  readonly token: string;
}

const DEFAULTS = {
  name: '',
  signal: null,
  methods: ['POST'],
  verification: { type: 'none' },
  input: '{{ request.body }}',
  deduplication: null,
  respond: 'accepted',
  status: 'active',
} as const satisfies HookInput;

@Injectable()
export class HooksService {
  constructor(
    private readonly repository: HooksRepository,
    private readonly deliveryLog: DeliveriesRepository,
    private readonly checks: HookChecks,
    private readonly projects: ProjectsService,
    private readonly workflows: WorkflowsService,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws WorkflowNotFoundError; ProjectNotFoundError; ProjectOutOfReachError; ValidationError. */
  async create(
    principal: Principal,
    { workflowId, action, ...place }: NewHook,
    input: HookInput,
  ): Promise<HookWithToken> {
    const now = isoTime(this.clock.now());
    const token = newHookToken(randomBytes);
    const hook: Hook = {
      ...DEFAULTS,
      ...input,
      id: newId(),
      projectId: await this.projectOf(principal, workflowId, place.projectId),
      workflowId,
      action,
      lastDeliveryAt: null,
      tokenPrefix: shownPrefixOf(token),
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    await this.checks.require(hook);
    const writes = [
      this.repository.insertion(hook),
      this.repository.tokenInsertion(hook.id, hashOfHookToken(token)),
    ];
    await this.audit.commitChange(
      principal,
      { action: 'hook.created', after: hook, recorded },
      writes,
      hook.id,
    );
    return { hook, token };
  }

  async read(principal: Principal, id: string): Promise<Hook> {
    const hook = await this.repository.find(id);
    if (hook === undefined) throw new HookNotFoundError(id);
    await this.projects.reach(principal, hook.projectId);
    return hook;
  }

  async list(
    principal: Principal,
    filter: Omit<HookFilter, 'projectIds'> & { readonly projectId?: string },
    place: IdPlace,
  ): Promise<PageRows<Hook>> {
    const { projectId, ...rest } = filter;
    const projectIds = await this.projects.idsWithin(principal, projectId);
    return this.repository.list({ ...rest, projectIds }, place);
  }

  deliveries({ id }: Hook, place: IdPlace): Promise<PageRows<Delivery>> {
    return this.deliveryLog.list(id, place);
  }

  async change(principal: Principal, current: Hook, input: HookInput): Promise<Hook> {
    const changes = { ...input, updatedAt: changeTime(current.updatedAt, this.clock.now()) };
    const next: Hook = { ...current, ...changes, revision: current.revision + 1 };
    await this.checks.require(next, current);
    await this.audit.commitChange(
      principal,
      { action: 'hook.updated', before: current, after: next, recorded },
      [this.repository.change(current.id, current.revision, changes)],
    );
    return next;
  }

  /**
   * Gives a hook a new token, and thereby a new URL. Earlier tokens expire after `overlapSeconds`.
   * @throws HookChangedError
   */
  async rotate(principal: Principal, current: Hook, overlapSeconds: number): Promise<HookWithToken> {
    const now = this.clock.now();
    const token = newHookToken(randomBytes);
    const changes = { tokenPrefix: shownPrefixOf(token), updatedAt: changeTime(current.updatedAt, now) };
    const hook: Hook = { ...current, ...changes, revision: current.revision + 1 };
    await this.audit.commitChange(
      principal,
      { action: 'hook.rotated', before: current, after: hook, recorded },
      [
        this.repository.change(current.id, current.revision, changes),
        this.repository.tokenExpiry(current.id, isoTime(now + overlapSeconds * 1_000)),
        this.repository.tokenInsertion(current.id, hashOfHookToken(token)),
      ],
      hook.id,
    );
    return { hook, token };
  }

  /**
   * Deletes a hook, its tokens and its recorded deliveries.
   * @throws HookChangedError
   */
  async delete(principal: Principal, hook: Hook): Promise<void> {
    await this.audit.commitChange(principal, { action: 'hook.deleted', before: hook, recorded }, [
      this.repository.deletion(hook.id, hook.revision),
      this.repository.tokenDeletion(hook.id),
      this.deliveryLog.deletionOf(hook.id),
    ]);
  }

  private async projectOf(
    principal: Principal,
    workflowId: string | null,
    requestedId: string | undefined,
  ): Promise<string> {
    if (workflowId === null) return (await this.projects.resolve(principal, requestedId)).id;
    const { projectId } = await this.workflows.read(principal, workflowId);
    if (requestedId !== undefined && requestedId !== projectId)
      throw ValidationError.of('project_id', 'other_project', 'must be the project of the workflow');
    return projectId;
  }
}

/**
 * The fields of a hook that the audit log stores. The template of the input is omitted, because it may be confidential.
 */
function recorded({ input: _, lastDeliveryAt: __, ...hook }: Hook): object {
  return hook;
}
