import { Inject, Injectable } from '@nestjs/common';
import { atLeast, type Principal } from '../access/index.js';
import { AccessChanges } from '../audit/index.js';
import { changeTime, CLOCK, type Clock, defined, isoTime } from '../platform/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import { ProjectsService } from '../projects/index.js';
import type { ApiKey, KeyEnvironment, NewKey } from './api-key.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { KeyCallers } from './key-caller.js';
import { keyEvent } from './key-event.js';
import { KeyLimits } from './key-limits.js';
import { checkedAddresses, checkedExpiry, checkedName, requireOfRole } from './key-fields.js';
import { excessOf, type KeyRights } from './key-rights.js';
import {
  KeyChangedError,
  KeyExceedsMakerError,
  KeyNotFoundError,
  KeyOutOfReachError,
  KeyReplacedError,
  KeysOfOthersError,
  NotKeyOwnerError,
} from './keys.errors.js';
import { type KeyFilter, KeysRepository } from './keys.repository.js';
import { keyOf, KeysService, type MadeKey } from './keys.service.js';

type KeyRow = Pick<ApiKeyEntity, keyof ApiKeyEntity>;

export type KeyChange = Partial<Omit<NewKey, 'origin' | 'issuer' | 'plan'>>;

export interface KeyListFilter {
  readonly environment?: KeyEnvironment;
  readonly projectId?: string;
  readonly userId?: string;
  readonly q?: string;
}

/**
 * Lets users manage their own API keys, and admins all API keys of the team. A caller can give a key at most
 * the rights of the key that authenticates the request.
 */
@Injectable()
export class KeyAdministration {
  constructor(
    private readonly repository: KeysRepository,
    private readonly keys: KeysService,
    private readonly callers: KeyCallers,
    private readonly projects: ProjectsService,
    private readonly limits: KeyLimits,
    private readonly changes: AccessChanges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws KeysOfOthersError; ProjectNotFoundError; ProjectOutOfReachError. */
  async list(
    principal: Principal,
    { environment, projectId, userId, q }: KeyListFilter,
    place: IdPlace,
  ): Promise<PageRows<ApiKey>> {
    const isAdmin = atLeast(principal.role, 'admin');
    if (!isAdmin && userId !== undefined && userId !== principal.userId) throw new KeysOfOthersError();
    if (projectId !== undefined) await this.projects.reach(principal, projectId);
    const filter: KeyFilter = defined({
      teamId: principal.teamId,
      now: isoTime(this.clock.now()),
      userId: isAdmin ? userId : principal.userId,
      projectId: projectId ?? principal.projectId ?? undefined,
      environment,
      q,
    });
    const { items, total } = await this.repository.list(filter, place);
    return { items: items.map(keyOf), total };
  }

  /** @throws KeyNotFoundError; KeyOutOfReachError. */
  async read(principal: Principal, id: string): Promise<ApiKey> {
    return keyOf(await this.reach(principal, id));
  }

  /**
   * @throws InvalidKeyFieldError; ValidationError; KeyExceedsMakerError; ProjectOutOfReachError; TooManyKeysError;
   * KeyChangedError.
   */
  async create(principal: Principal, wanted: NewKey): Promise<MadeKey> {
    const { maker, guards } = await this.callers.of(principal);
    const projectId = wanted.projectId ?? maker.projectId;
    await this.keys.requireReachable(maker, projectId);
    this.limits.requirePlan(wanted.plan, principal);
    await this.limits.requireRoom(maker.userId);
    const { key, secret, writes } = this.keys.prepare(maker, { ...wanted, projectId });
    await this.changes.commit(
      principal,
      keyEvent('key.created', { after: key }),
      [...guards, ...writes],
      key.id,
    );
    return { key, secret };
  }

  /**
   * Changes a key. Admins may restrict a key of another user. Only the owner of a key may extend its rights, up to the
   * rights of the key that authenticates the request.
   *
   * @throws KeyNotFoundError; KeyOutOfReachError; NotKeyOwnerError; KeyExceedsMakerError; KeyReplacedError;
   * KeyChangedError, and validation errors of the fields.
   */
  async change(principal: Principal, id: string, change: KeyChange): Promise<ApiKey> {
    const row = await this.reach(principal, id);
    const { limit, guards } = await this.callers.of(principal);
    const now = this.clock.now();
    const rights: KeyRights = {
      scopes: change.scopes === undefined ? row.scopes : [...new Set(change.scopes)],
      projectId: change.projectId === undefined ? row.projectId : change.projectId,
      allowedIps: change.allowedIps === undefined ? row.allowedIps : checkedAddresses(change.allowedIps),
      expiresAt: change.expiresAt === undefined ? row.expiresAt : checkedExpiry(change.expiresAt, now),
    };
    if (rights.projectId !== row.projectId)
      await this.keys.requireReachable({ teamId: row.teamId, projectId: null }, rights.projectId);
    if (excessOf(rights, row) !== undefined) refuseWidening(principal, row, rights, limit);
    if (row.issuer !== null && excessOf({ ...row, expiresAt: rights.expiresAt }, row) !== undefined)
      throw new KeyExceedsMakerError({ field: 'expires_at' });
    const next: KeyRow = {
      ...row,
      ...rights,
      name: change.name === undefined ? row.name : checkedName(change.name),
      environment: change.environment ?? row.environment,
      updatedAt: changeTime(row.updatedAt, now),
    };
    const [before, after] = [keyOf(row), keyOf(next)];
    if (JSON.stringify(before) === JSON.stringify(after)) return before;
    await this.changes.commit(principal, keyEvent('key.updated', { before, after }), [
      ...guards,
      this.repository.update(next, row.updatedAt, () => new KeyChangedError()),
    ]);
    return after;
  }

  /**
   * Replaces one of the caller's keys with a new key that has the same rights and lifetime. The new key expires no
   * later than the key that authenticates the request.
   *
   * @param overlapSeconds how long the old key remains valid, in seconds
   * @throws KeyNotFoundError; KeyOutOfReachError; NotKeyOwnerError; KeyReplacedError; KeyExceedsMakerError;
   * KeyChangedError.
   */
  async rotate(principal: Principal, id: string, overlapSeconds: number): Promise<MadeKey> {
    const row = await this.reach(principal, id);
    if (row.userId !== principal.userId) throw new NotKeyOwnerError();
    if (row.replacedBy !== null) throw new KeyReplacedError();
    const { maker, limit, guards } = await this.callers.of(principal);
    const excess = excessOf(row, limit);
    if (excess !== undefined) throw new KeyExceedsMakerError(excess);
    const now = this.clock.now();
    const { name, environment, scopes, projectId, allowedIps, origin, plan } = row;
    // A caller without a key plan may rotate a key whose plan exceeds that of the team, because such a plan has no effect.
    if (plan !== null && principal.keyPlan !== undefined) this.limits.requirePlan(plan, principal);
    const { key, secret, writes } = this.keys.prepare(maker, {
      ...{ name, environment, scopes, projectId, allowedIps, origin },
      ...(plan === null ? {} : { plan }),
      expiresAt: renewedEnd(row, limit.expiresAt, now),
      ...(row.issuer === null ? {} : { issuer: row.issuer }),
    });
    const retired: KeyRow = {
      ...row,
      replacedBy: key.id,
      // The overlap begins when the new key is created.
      expiresAt: earlier(row.expiresAt, isoTime(Date.parse(key.createdAt) + overlapSeconds * 1_000)),
      updatedAt: changeTime(row.updatedAt, now),
    };
    const retirement = this.repository.update(retired, row.updatedAt, () => new KeyChangedError());
    const event = keyEvent('key.rotated', { before: keyOf(row), after: keyOf(retired) });
    await this.changes.commit(
      principal,
      { ...event, after: { ...event.after, replaced_by: key.id } },
      [...guards, ...writes, retirement],
      key.id,
    );
    return { key, secret };
  }

  /**
   * Deletes a key. Other processes of the service reject the deleted key within a second.
   *
   * @throws KeyNotFoundError; KeyOutOfReachError.
   */
  async delete(principal: Principal, id: string): Promise<void> {
    const row = await this.reach(principal, id);
    const key = keyOf(row);
    await this.changes.commit(principal, keyEvent('key.deleted', { before: key }), [
      this.repository.markDeleted(id, isoTime(this.clock.now()), () => new KeyNotFoundError(id)),
    ]);
  }

  /**
   * Returns a key of the caller's team and project. Only admins and owners of the team can access keys of other users.
   */
  private async reach({ teamId, projectId, userId, role }: Principal, id: string): Promise<KeyRow> {
    const row = await this.repository.findActiveById(id);
    if (row === null) throw new KeyNotFoundError(id);
    const isInReach =
      row.teamId === teamId &&
      (projectId === null || row.projectId === projectId) &&
      (row.userId === userId || atLeast(role, 'admin'));
    if (!isInReach) throw new KeyOutOfReachError(id);
    return row;
  }
}

function refuseWidening(principal: Principal, row: KeyRow, rights: KeyRights, limit: KeyRights): void {
  if (row.userId !== principal.userId) throw new NotKeyOwnerError();
  const added = rights.scopes.filter((scope) => !row.scopes.includes(scope));
  requireOfRole(principal.role, added);
  const excess = excessOf(rights, limit);
  if (excess !== undefined) throw new KeyExceedsMakerError(excess);
  if (row.replacedBy !== null) throw new KeyReplacedError();
}

/**
 * Returns the expiry of a replacement key. The new key lives as long as the old key, counted from `now`, but not beyond
 * `limit`. If the old key was exchanged for a JWT, the replacement keeps the expiry of the old key.
 */
function renewedEnd(
  { createdAt, expiresAt, issuer }: KeyRow,
  limit: string | null,
  now: number,
): string | null {
  if (issuer !== null && expiresAt !== null) return limit === null ? expiresAt : earlier(expiresAt, limit);
  const renewed =
    expiresAt === null ? null : isoTime(now + Math.max(Date.parse(expiresAt) - Date.parse(createdAt), 1));
  return limit === null ? renewed : earlier(renewed, limit);
}

function earlier(left: string | null, right: string): string {
  return left !== null && left < right ? left : right;
}
