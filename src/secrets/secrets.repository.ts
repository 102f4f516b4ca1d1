import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, SelectQueryBuilder } from 'typeorm';
import { type IdPlace, pageById, type PageRows } from '../pages/index.js';
import { type Statement, statementOf } from '../storage/index.js';
import type { Secret } from './secret.js';
import { SecretEntity } from './secret.entity.js';
import { SecretChangedError, SecretExistsError } from './secrets.errors.js';

/** What a list of secrets is narrowed by. */
export interface SecretFilter {
  readonly projectIds: readonly string[];
  readonly name?: string;
  /** Part of the name or the description, without regard to case. */
  readonly q?: string;
}

/** An encrypted value. */
export type SealedSecret = Pick<SecretEntity, 'id' | 'name' | 'sealed'>;

@Injectable()
export class SecretsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async find(id: string): Promise<Secret | undefined> {
    return (await this.secrets().where('s.id = :id', { id }).getOne()) ?? undefined;
  }

  async list({ projectIds, name, q }: SecretFilter, place: IdPlace): Promise<PageRows<Secret>> {
    if (projectIds.length === 0) return { items: [], total: 0 };
    const query = this.secrets().where('s.projectId IN (:...projectIds)', { projectIds });
    if (name !== undefined) query.andWhere('s.name = :name', { name });
    if (q !== undefined)
      query.andWhere("(LOWER(s.name) LIKE :q ESCAPE '\\' OR LOWER(s.description) LIKE :q ESCAPE '\\')", {
        q: `%${q.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`,
      });
    return pageById(query, place);
  }

  /** Encrypted values of those names that a project has. */
  sealed(projectId: string, names: readonly string[]): Promise<readonly SealedSecret[]> {
    return this.secrets()
      .select(['s.id', 's.name', 's.sealed'])
      .where('s.projectId = :projectId AND s.name IN (:...names)', { projectId, names })
      .getMany();
  }

  /** Those of some names that a project has. */
  async existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    if (names.length === 0) return new Set();
    const found = await this.secrets()
      .select(['s.id', 's.name'])
      .where('s.projectId = :projectId AND s.name IN (:...names)', { projectId, names })
      .getMany();
    return new Set(found.map(({ name }) => name));
  }

  insertion(secret: Secret, sealed: string): Statement {
    const row: object = { ...secret, sealed };
    return statementOf(this.dataSource.createQueryBuilder().insert().into(SecretEntity).values(row), {
      onDuplicate: () => new SecretExistsError(secret.name),
    });
  }

  /** Writes what a client changed, if the secret still has the revision it was read with. */
  change(id: string, revision: number, changes: Partial<Secret> & { readonly sealed?: string }): Statement {
    const set: object = { ...changes, revision: revision + 1 };
    return statementOf(
      this.dataSource
        .createQueryBuilder()
        .update(SecretEntity)
        .set(set)
        .where('id = :id AND revision = :revision', { id, revision }),
      { orFail: () => new SecretChangedError() },
    );
  }

  deletion(id: string, revision: number): Statement {
    return statementOf(
      this.dataSource
        .createQueryBuilder()
        .delete()
        .from(SecretEntity)
        .where('id = :id AND revision = :revision', { id, revision }),
      { orFail: () => new SecretChangedError() },
    );
  }

  /** @param at ISO 8601 */
  use(ids: readonly string[], at: string): Statement {
    const set: object = { lastUsedAt: at };
    return statementOf(
      this.dataSource.createQueryBuilder().update(SecretEntity).set(set).where('id IN (:...ids)', { ids }),
    );
  }

  private secrets(): SelectQueryBuilder<SecretEntity> {
    return this.dataSource.createQueryBuilder(SecretEntity, 's');
  }
}
