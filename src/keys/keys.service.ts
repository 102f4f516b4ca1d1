import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AccessChanges, OPERATOR } from '../audit/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { ProjectOutOfReachError, ProjectsService } from '../projects/index.js';
import { type ApiKey, DEFAULT_KEY_ENVIRONMENT, type KeyMaker, type NewKey } from './api-key.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { keyEvent } from './key-event.js';
import { checkedAddresses, checkedExpiry, checkedName, checkedScopes } from './key-fields.js';
import { KeyLimits } from './key-limits.js';
import { excessOf, type KeyRights } from './key-rights.js';
import { hashOfKey, newKeySecret, shownPartsOf } from './key-secret.js';
import { InvalidKeyError, InvalidKeyFieldError, KeyExceedsMakerError } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';

/** A new API key with its secret. The secret is shown only once and cannot be read later. */
export interface MadeKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** A new API key that is not stored yet, with the database writes that store it. */
export interface PreparedKey extends MadeKey {
  readonly writes: readonly Write[];
}

@Injectable()
export class KeysService {
  constructor(
    private readonly repository: KeysRepository,
    private readonly projects: ProjectsService,
    private readonly changes: AccessChanges,
    private readonly limits: KeyLimits,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates an API key for a CLI command. The key has at most the rights of its creator.
   *
   * @throws InvalidKeyFieldError, KeyExceedsMakerError, ProjectOutOfReachError, TooManyKeysError
   */
  async create(maker: KeyMaker, wanted: NewKey): Promise<MadeKey> {
    const projectId = wanted.projectId ?? maker.projectId;
    await this.requireReachable(maker, projectId);
    await this.limits.requireRoom(maker.userId);
    const { key, secret, writes } = this.prepare(maker, { ...wanted, projectId });
    await this.changes.commit(OPERATOR, keyEvent('key.created', { after: key }), writes);
    return { key, secret };
  }

  /**
   * Validates the fields of a new API key and generates its secret. The caller must check access to the project of the
   * key, and must store the key.
   *
   * @throws InvalidKeyFieldError when a field is invalid.
   * @throws KeyExceedsMakerError when the key would exceed the rights of its creator.
   */
  prepare(maker: KeyMaker, wanted: NewKey): PreparedKey {
    const now = this.clock.now();
    const { allowedIps = null, expiresAt = null } = maker;
    const limit: KeyRights = { scopes: maker.scopes, projectId: maker.projectId, allowedIps, expiresAt };
    const rights: KeyRights = {
      scopes: wanted.scopes === undefined ? maker.scopes : checkedScopes(maker.role, wanted.scopes),
      projectId: wanted.projectId ?? maker.projectId,
      allowedIps: wanted.allowedIps === undefined ? allowedIps : checkedAddresses(wanted.allowedIps),
      expiresAt: wanted.expiresAt === undefined ? expiresAt : checkedExpiry(wanted.expiresAt, now),
    };
    const excess = excessOf(rights, limit);
    if (excess !== undefined) throw new KeyExceedsMakerError(excess);
    const secret = newKeySecret(randomBytes);
    const row: ApiKeyEntity = {
      id: newId(),
      origin: wanted.origin ?? 'created',
      name: checkedName(wanted.name),
      ...shownPartsOf(secret),
      hash: hashOfKey(secret),
      environment: wanted.environment ?? DEFAULT_KEY_ENVIRONMENT,
      ...rights,
      plan: wanted.plan ?? maker.plan ?? null,
      teamId: maker.teamId,
      userId: maker.userId,
      lastUsedAt: null,
      lastUsedIp: null,
      issuer: wanted.issuer ?? maker.issuer ?? null,
      replacedBy: null,
      createdAt: isoTime(now),
      updatedAt: isoTime(now),
      deletedAt: null,
    };
    return { key: keyOf(row), secret, writes: [this.repository.insert(row)] };
  }

  /**
   * Deletes an API key for a CLI command. Other processes of the service reject the deleted key within a second.
   *
   * @throws InvalidKeyError when no key has the id.
   */
  async delete(id: string): Promise<void> {
    const row = await this.repository.findActiveById(id);
    if (row === null) throw new InvalidKeyError();
    const key = keyOf(row);
    await this.changes.commit(OPERATOR, keyEvent('key.deleted', { before: key }), [
      this.repository.markDeleted(id, isoTime(this.clock.now()), () => new InvalidKeyError()),
    ]);
  }

  /**
   * Checks that the creator of a key may access its project. A null project id stands for all projects and is always
   * accepted.
   *
   * @throws InvalidKeyFieldError; ProjectOutOfReachError.
   */
  async requireReachable(
    maker: Pick<KeyMaker, 'teamId' | 'projectId'>,
    projectId: string | null,
  ): Promise<void> {
    if (projectId === null) return;
    const project = await this.projects.find(projectId);
    if (project === null) throw new InvalidKeyFieldError('project_id', 'must be the id of a project');
    const isBoundElsewhere = maker.projectId !== null && maker.projectId !== projectId;
    if (project.teamId !== maker.teamId || isBoundElsewhere) throw new ProjectOutOfReachError(projectId);
  }
}

export function keyOf(row: ApiKeyEntity): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.lastFour,
    environment: row.environment,
    scopes: row.scopes,
    teamId: row.teamId,
    projectId: row.projectId,
    userId: row.userId,
    allowedIps: row.allowedIps,
    plan: row.plan,
    expiresAt: row.expiresAt,
    lastUsedAt: row.lastUsedAt,
    lastUsedIp: row.lastUsedIp,
    replacedBy: row.replacedBy,
    createdAt: row.createdAt,
  };
}
