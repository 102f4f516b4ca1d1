import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, idsAt, pageById, type PageRows, wantedText, withText } from '../pages/index.js';
import { deleteStatement, insertStatement, type Statement, updateStatement } from '../storage/index.js';
import type { Secret } from './secret.js';
import { SecretEntity } from './secret.entity.js';
import { SecretListsRepository } from './secret-lists.repository.js';
import { SecretChangedError, SecretExistsError } from './secrets.errors.js';

export interface SecretFilter {
  readonly projectIds: readonly string[];
  readonly name?: string;
  /**
   * Search text, ignoring case: a part of the name or the description, or the beginning of the id or of its last eight
   * characters.
   */
  readonly q?: string;
}

export type SealedSecret = Pick<SecretEntity, 'id' | 'name' | 'sealed'>;

@Injectable()
export class SecretsRepository {
  constructor(
    @InjectRepository(SecretEntity) private readonly secrets: Repository<SecretEntity>,
    private readonly lists: SecretListsRepository,
  ) {}

  async find(id: string): Promise<Secret | undefined> {
    return (await this.secrets.createQueryBuilder('s').where('s.id = :id', { id }).getOne()) ?? undefined;
  }

  async list({ projectIds, name, q }: SecretFilter, place: IdPlace): Promise<PageRows<Secret>> {
    if (projectIds.length === 0) return { items: [], total: 0 };
    const wanted = wantedText(q);
    if (name === undefined && wanted !== '') {
      const found = await this.lists.find(projectIds, wanted);
      if (found !== null) return this.pageOf(found, place);
    }
    const query = this.secrets
      .createQueryBuilder('s')
      .where('s.projectId IN (:...projectIds)', { projectIds });
    if (name === undefined && wanted === '')
      return pageById(query, place, { countRows: () => this.lists.count(projectIds) });
    if (name !== undefined) query.andWhere('s.name = :name', { name });
    return pageById(withText(query, q, ['name', 'description']), place);
  }

  /** Reads the encrypted values of the named secrets of a project. The result omits names without a secret. */
  sealed(projectId: string, names: readonly string[]): Promise<readonly SealedSecret[]> {
    return this.secrets
      .createQueryBuilder('s')
      .select(['s.id', 's.name', 's.sealed'])
      .where('s.projectId = :projectId AND s.name IN (:...names)', { projectId, names })
      .getMany();
  }

  /** Returns the given names for which the project has a secret. */
  async existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    if (names.length === 0) return new Set();
    const found = await this.secrets
      .createQueryBuilder('s')
      .select(['s.id', 's.name'])
      .where('s.projectId = :projectId AND s.name IN (:...names)', { projectId, names })
      .getMany();
    return new Set(found.map(({ name }) => name));
  }

  insertion(secret: Secret, sealed: string): Statement {
    const onDuplicate = (): Error => new SecretExistsError(secret.name);
    return insertStatement(this.secrets, { ...secret, sealed }, { onDuplicate });
  }

  change(id: string, revision: number, changes: Partial<Secret> & { readonly sealed?: string }): Statement {
    return updateStatement(
      this.secrets,
      { ...changes, revision: revision + 1 },
      { id, revision },
      { orFail: () => new SecretChangedError() },
    );
  }

  deletion(id: string, revision: number): Statement {
    return deleteStatement(this.secrets, { id, revision }, { orFail: () => new SecretChangedError() });
  }

  /**
   * Statement that sets the time at which secrets were last used.
   *
   * @param at time of the last use in ISO 8601
   */
  use(ids: readonly string[], at: string): Statement {
    return updateStatement(this.secrets, { lastUsedAt: at }, ['id IN (:...ids)', { ids }]);
  }

  /** @param found ids of all matching secrets, in ascending order */
  private async pageOf(found: readonly string[], place: IdPlace): Promise<PageRows<Secret>> {
    const ids = idsAt(found, place);
    if (ids.length === 0) return { items: [], total: found.length };
    const items = await this.secrets
      .createQueryBuilder('s')
      .where('s.id IN (:...ids)', { ids })
      .orderBy('s.id', place.order === 'asc' ? 'ASC' : 'DESC')
      .getMany();
    return { items, total: found.length };
  }
}
