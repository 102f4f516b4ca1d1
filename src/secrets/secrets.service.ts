import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { AuditTrail } from '../audit/index.js';
import { Encryption } from '../encryption/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import { changeTime, CLOCK, type Clock, defined, isoTime, newId } from '../platform/index.js';
import { ProjectsService } from '../projects/index.js';
import { sealContext, type Secret } from './secret.js';
import { SecretUsers } from './secret-users.js';
import { SecretInUseError, SecretNotFoundError } from './secrets.errors.js';
import { type SecretFilter, SecretsRepository } from './secrets.repository.js';

export interface NewSecret {
  readonly name: string;
  readonly value: string;
  readonly description?: string;
}

@Injectable()
export class SecretsService {
  constructor(
    private readonly repository: SecretsRepository,
    private readonly encryption: Encryption,
    private readonly users: SecretUsers,
    private readonly projects: ProjectsService,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws SecretExistsError; SecretsKeyMissingError; ProjectNotFoundError; ProjectOutOfReachError. */
  async create(
    principal: Principal,
    projectId: string | undefined,
    { name, value, description = '' }: NewSecret,
  ): Promise<Secret> {
    const project = await this.projects.resolve(principal, projectId);
    const now = isoTime(this.clock.now());
    const secret: Secret = {
      id: newId(),
      projectId: project.id,
      name,
      description,
      version: 1,
      revision: 1,
      createdAt: now,
      updatedAt: now,
      lastUsedAt: null,
    };
    const sealed = this.encryption.seal(value, sealContext(secret.id));
    const change = { action: 'secret.created', after: secret, recorded } as const;
    const write = this.repository.insertion(secret, sealed);
    await this.audit.commitChange(principal, change, [write], secret.id);
    return secret;
  }

  /** @throws SecretNotFoundError; ProjectOutOfReachError. */
  async read(principal: Principal, id: string): Promise<Secret> {
    const secret = await this.repository.find(id);
    if (secret === undefined) throw new SecretNotFoundError(id);
    await this.projects.reach(principal, secret.projectId);
    return secret;
  }

  async list(
    principal: Principal,
    { projectId, ...filter }: Omit<SecretFilter, 'projectIds'> & { readonly projectId?: string },
    place: IdPlace,
  ): Promise<PageRows<Secret>> {
    const projectIds = await this.projects.idsWithin(principal, projectId);
    return this.repository.list({ ...filter, projectIds }, place);
  }

  /**
   * Changes the value or the description of a secret. Only a new value increments the secret's `version`.
   *
   * @throws SecretChangedError; SecretsKeyMissingError.
   */
  async change(
    principal: Principal,
    current: Secret,
    { value, description }: Partial<Pick<NewSecret, 'value' | 'description'>>,
  ): Promise<Secret> {
    const changes = defined({
      description,
      version: value === undefined ? undefined : current.version + 1,
      updatedAt: changeTime(current.updatedAt, this.clock.now()),
    });
    const next: Secret = { ...current, ...changes, revision: current.revision + 1 };
    const sealed =
      value === undefined ? {} : { sealed: this.encryption.seal(value, sealContext(current.id)) };
    await this.audit.commitChange(
      principal,
      { action: 'secret.updated', before: current, after: next, recorded },
      [this.repository.change(current.id, current.revision, { ...changes, ...sealed })],
    );
    return next;
  }

  /**
   * @param force whether to delete the secret even if an active resource uses it
   *
   * @throws SecretInUseError; SecretChangedError.
   */
  async delete(principal: Principal, secret: Secret, force: boolean): Promise<void> {
    const users = force ? [] : await this.users.usersOf(secret.projectId, secret.name);
    if (users.length > 0) throw new SecretInUseError(secret.name, users);
    await this.audit.commitChange(principal, { action: 'secret.deleted', before: secret, recorded }, [
      this.repository.deletion(secret.id, secret.revision),
    ]);
  }
}

function recorded({ name, description, version }: Secret): object {
  return { name, description, version };
}
