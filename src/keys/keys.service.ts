import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AccessEpoch, allows, isAddressRange, MAX_ADDRESS_RANGES, type ScopeGrant } from '../access/index.js';
import { CLOCK, type Clock, isoTime, newId, type Write, Writer } from '../platform/index.js';
import { ProjectOutOfReachError, ProjectsService } from '../projects/index.js';
import { type ApiKey, type KeyMaker, MAX_KEY_NAME_LENGTH, type NewKey } from './api-key.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { hashOfKey, newKeySecret, shownPartsOf } from './key-secret.js';
import { InvalidKeyError, InvalidKeyFieldError, KeyExceedsMakerError } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';

/** A key and, this once, its secret. */
export interface MadeKey {
  readonly key: ApiKey;
  /** Plain text; it is kept nowhere. */
  readonly secret: string;
}

/** A key that is about to be, and the write that makes it so. */
export interface PreparedKey extends MadeKey {
  readonly writes: readonly Write[];
}

@Injectable()
export class KeysService {
  constructor(
    private readonly repository: KeysRepository,
    private readonly projects: ProjectsService,
    private readonly epoch: AccessEpoch,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Makes a key that gives no more than its maker has.
   * @throws InvalidKeyFieldError, KeyExceedsMakerError, ProjectNotFoundError, ProjectOutOfReachError
   */
  async create(maker: KeyMaker, wanted: NewKey): Promise<MadeKey> {
    const projectId = wanted.projectId ?? maker.projectId;
    if (projectId !== null) await this.requireReachable(maker, projectId);
    const { key, secret, writes } = this.prepare(maker, { ...wanted, projectId });
    await this.writer.commit({ writes });
    return { key, secret };
  }

  /**
   * A new key, not written yet; whether its project is in reach is the caller's to know.
   * @throws InvalidKeyFieldError when a field cannot be taken.
   * @throws KeyExceedsMakerError when a scope is asked for that the maker has not.
   */
  prepare(maker: KeyMaker, wanted: NewKey): PreparedKey {
    const now = this.clock.now();
    const secret = newKeySecret(randomBytes);
    const row: ApiKeyEntity = {
      id: newId(),
      origin: wanted.origin ?? 'created',
      name: checkedName(wanted.name),
      ...shownPartsOf(secret),
      hash: hashOfKey(secret),
      environment: wanted.environment ?? 'production',
      scopes: checkedScopes(maker, wanted.scopes),
      teamId: maker.teamId,
      projectId: wanted.projectId ?? maker.projectId,
      userId: maker.userId,
      allowedIps: checkedAddresses(wanted.allowedIps),
      expiresAt: checkedExpiry(wanted.expiresAt, now),
      lastUsedAt: null,
      lastUsedIp: null,
      replacedBy: null,
      createdAt: isoTime(now),
      updatedAt: isoTime(now),
      deletedAt: null,
    };
    return { key: keyOf(row), secret, writes: [this.repository.insert(row)] };
  }

  /**
   * Ends a key: every process refuses it within a second, this one at once.
   * @throws InvalidKeyError when there is no such key any more.
   */
  async delete(id: string): Promise<void> {
    const now = isoTime(this.clock.now());
    await this.writer.commit(
      this.epoch.change({ writes: [this.repository.markDeleted(id, now, () => new InvalidKeyError())] }),
    );
  }

  private async requireReachable(maker: KeyMaker, projectId: string): Promise<void> {
    const project = await this.projects.find(projectId);
    if (project === null) throw new InvalidKeyFieldError('project_id', 'must be the id of a project');
    const bound = maker.projectId !== null && maker.projectId !== projectId;
    if (project.teamId !== maker.teamId || bound) throw new ProjectOutOfReachError(projectId);
  }
}

function keyOf(row: ApiKeyEntity): ApiKey {
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
    expiresAt: row.expiresAt,
    lastUsedAt: row.lastUsedAt,
    lastUsedIp: row.lastUsedIp,
    replacedBy: row.replacedBy,
    createdAt: row.createdAt,
  };
}

function checkedName(name: string): string {
  const chosen = name.trim();
  if (chosen !== '' && chosen.length <= MAX_KEY_NAME_LENGTH) return chosen;
  throw new InvalidKeyFieldError('name', `must have 1 to ${MAX_KEY_NAME_LENGTH} characters`);
}

function checkedScopes(maker: KeyMaker, wanted: readonly ScopeGrant[] | undefined): readonly ScopeGrant[] {
  if (wanted === undefined) return maker.scopes;
  if (wanted.length === 0) throw new InvalidKeyFieldError('scopes', 'must name at least one scope');
  for (const scope of wanted) {
    const within = scope === '*' ? maker.scopes.includes('*') : allows(maker, scope);
    if (!within) throw new KeyExceedsMakerError(scope);
  }
  return [...new Set(wanted)];
}

function checkedAddresses(wanted: readonly string[] | null | undefined): readonly string[] | null {
  if (wanted === undefined || wanted === null || wanted.length === 0) return null;
  if (wanted.length > MAX_ADDRESS_RANGES)
    throw new InvalidKeyFieldError('allowed_ips', `must not have more than ${MAX_ADDRESS_RANGES} entries`);
  wanted.forEach((text, index) => {
    if (!isAddressRange(text))
      throw new InvalidKeyFieldError(`allowed_ips[${index}]`, 'must be an IP address or a CIDR range');
  });
  return [...new Set(wanted)];
}

function checkedExpiry(wanted: string | null | undefined, now: number): string | null {
  if (wanted === undefined || wanted === null) return null;
  const at = Date.parse(wanted);
  if (at > now) return isoTime(at);
  throw new InvalidKeyFieldError('expires_at', 'must be an instant in the future');
}
