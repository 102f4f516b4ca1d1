import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecretLists1796083201000 } from '../../migrations/1796083201000-secret-lists.js';
import { dataSourceOptions, openDataSource } from '../../src/database/index.js';
import { type IdPlace, pageById, withText } from '../../src/pages/index.js';
import { newId } from '../../src/platform/index.js';
import { ENTITIES, MIGRATIONS } from '../../src/schema.js';
import { SecretEntity } from '../../src/secrets/secret.entity.js';
import type { Secret } from '../../src/secrets/secret.js';
import { SecretListsRepository } from '../../src/secrets/secret-lists.repository.js';
import { SecretsRepository } from '../../src/secrets/secrets.repository.js';
import type { Dialect, Write, Writer } from '../../src/storage/index.js';
import { writerOf } from '../../src/storage/storage.module.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { undoMigrationsTo } from '../support/migrations.js';

const PLACE: IdPlace = { limit: 100, offset: 0, order: 'desc' };

/**
 * Descriptions with characters that have a special meaning in SQL or in LIKE patterns, or that change in unusual ways
 * between upper and lower case.
 */
const DESCRIPTIONS = [
  ...[
    '',
    'Key of the payment service',
    '100% of it',
    'a_b',
    'axb',
    'back\\slash',
    `it's "so"`,
    ' spaced  out ',
  ],
  // cspell:disable-next-line
  ...['ÉCOLE', 'école', 'Straße', 'STRASSE', 'İstanbul', 'K (Kelvin)', 'Σίσυφος', '😀 smile', 'line\nbreak'],
  'cafe decade',
];
const SEARCHES = [
  ...[
    'k',
    'KEY',
    'payment',
    '%',
    '_',
    'a_b',
    '\\',
    `'`,
    '"',
    '  ',
    ' spaced ',
    'd  o',
    'é',
    'É',
    'ß',
    'ss',
    'i̇',
  ],
  ...['K', 'σ', 'ς', '😀', '\n', 'e\nb', 'cafe', 'secret_1', 'SECRET_', 'nothing has this'],
];

/** Simulates a process of the service: its database connection, writer and repository. */
class Process {
  readonly writer: Writer;
  readonly secrets: SecretsRepository;

  private constructor(
    readonly dataSource: DataSource,
    dialect: Dialect,
  ) {
    this.writer = writerOf(dataSource);
    const lists = new SecretListsRepository(dataSource, dialect);
    this.secrets = new SecretsRepository(dataSource.getRepository(SecretEntity), lists);
  }

  static async on({ settings }: TestDatabase): Promise<Process> {
    const options = dataSourceOptions(settings, ENTITIES, MIGRATIONS);
    return new Process(await openDataSource(options, true), settings.dialect);
  }

  commit(...writes: readonly Write[]): Promise<void> {
    return this.writer.commit({ writes });
  }

  async add(projectId: string, name: string, description = ''): Promise<Secret> {
    const secret = secretOf(projectId, name, description);
    await this.commit(this.secrets.insertion(secret, 'sealed'));
    return secret;
  }

  async close(): Promise<void> {
    await this.writer.close();
    await this.dataSource.destroy();
  }
}

function secretOf(projectId: string, name: string, description: string): Secret {
  const now = new Date().toISOString();
  const times = { createdAt: now, updatedAt: now, lastUsedAt: null };
  return { id: newId(), projectId, name, description, version: 1, revision: 1, ...times };
}

describe.each(await databaseKinds())('lists of secrets on $name', ({ create }) => {
  let database: TestDatabase;
  let [first, second]: Process[] = [];

  beforeAll(async () => {
    database = await create();
    first = await Process.on(database);
    second = await Process.on(database);
  });
  afterAll(async () => {
    await first?.close();
    await second?.close();
    await database?.drop();
  });

  /** Searches by comparing every row in the database. The search under test must return the same page. */
  const compared = (projectIds: readonly string[], q: string, place: IdPlace): ReturnType<typeof pageById> =>
    pageById(
      withText(
        first!.dataSource
          .createQueryBuilder(SecretEntity, 's')
          .where('s.projectId IN (:...projectIds)', { projectIds }),
        q,
        ['name', 'description'],
      ),
      place,
    );

  const namesOf = async (process: Process | undefined, projectIds: readonly string[], q?: string) => {
    const filter = { projectIds, ...(q === undefined ? {} : { q }) };
    const { items, total } = await process!.secrets.list(filter, { ...PLACE, order: 'asc' });
    expect(total).toBe(items.length);
    return items.map(({ name }) => name);
  };

  const versionOf = async (projectId: string): Promise<number> => {
    const sql = `SELECT version FROM secret_lists WHERE project_id = '${projectId}'`;
    return Number((await first!.dataSource.query<readonly { readonly version: unknown }[]>(sql))[0]?.version);
  };

  it('a search of secrets returns the same page as a database query that compares every row', async () => {
    const projectIds = [newId(), newId(), newId()];
    const all: Secret[] = [];
    for (const [index, description] of DESCRIPTIONS.entries())
      all.push(await first!.add(projectIds[index % 2] ?? '', `SECRET_${index}`, description));
    const ids = all.map(({ id }) => id);
    const partOfId = fc
      .tuple(fc.constantFrom(...ids), fc.constantFrom(0, 4, 28, 30), fc.integer({ min: 2, max: 36 }))
      .map(([id, start, length]) => id.slice(start, start + length));
    const place = fc.record(
      {
        limit: fc.integer({ min: 1, max: 7 }),
        offset: fc.integer({ min: 0, max: 5 }),
        order: fc.constantFrom('asc', 'desc'),
        after: fc.constantFrom(...ids, newId()),
      },
      { requiredKeys: ['limit', 'offset', 'order'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(projectIds, { minLength: 1 }),
        fc.oneof(fc.constantFrom(...SEARCHES, ...DESCRIPTIONS), partOfId),
        place,
        async (projects, q, at) => {
          const found = await first!.secrets.list({ projectIds: projects, q }, at);
          expect(found).toEqual(await compared(projects, q, at));
        },
      ),
      { numRuns: 500, endOnFailure: true },
    );
  });

  it('a search of secrets includes every change that another process has committed', async () => {
    const projectIds = [newId(), newId()];
    const [projectId = '', other = ''] = projectIds;
    expect(await namesOf(first, projectIds, 'pay')).toEqual([]);
    const secret = await second!.add(projectId, 'PAYMENT');
    expect(await namesOf(first, projectIds, 'pay')).toEqual(['PAYMENT']);
    await second!.add(other, 'OTHER', 'pays, too');
    expect(await namesOf(first, projectIds, 'pay')).toEqual(['PAYMENT', 'OTHER']);
    expect(await namesOf(first, projectIds, 'bank')).toEqual([]);
    await second!.commit(second!.secrets.change(secret.id, 1, { description: 'Bank' }));
    expect(await namesOf(first, projectIds, 'bank')).toEqual(['PAYMENT']);
    await second!.commit(second!.secrets.deletion(secret.id, 2));
    expect(await namesOf(first, projectIds, 'bank')).toEqual([]);
    expect(await namesOf(first, projectIds, 'pay')).toEqual(['OTHER']);
    await second!.add(projectId, 'PAYMENT');
    expect(await namesOf(first, projectIds, 'pay')).toEqual(['OTHER', 'PAYMENT']);
  });

  it('a change of the description of a secret increases the version of the secret list, but a use or a new value does not', async () => {
    const projectId = newId();
    const { id } = await first!.add(projectId, 'KEY');
    const version = await versionOf(projectId);
    await first!.commit(first!.secrets.use([id], new Date().toISOString()));
    await first!.commit(first!.secrets.change(id, 1, { version: 2, sealed: 'other' }));
    expect(await versionOf(projectId)).toBe(version);
    await first!.commit(first!.secrets.change(id, 2, { description: 'Other' }));
    expect(await versionOf(projectId)).toBe(version + 1);
  });

  it('the version of a secret list grows even if the only secret of the list is deleted and then added again', async () => {
    const projectId = newId();
    const { id } = await first!.add(projectId, 'KEY');
    const version = await versionOf(projectId);
    await first!.commit(first!.secrets.deletion(id, 1));
    await first!.add(projectId, 'KEY');
    expect(await versionOf(projectId)).toBeGreaterThan(version);
  });

  it('the total in a list of secrets remains exact after concurrent changes by two processes', async () => {
    const projectIds = [newId(), newId()];
    const [projectId = '', other = ''] = projectIds;
    const kept = await first!.add(projectId, 'KEPT');
    const removed = await first!.add(projectId, 'REMOVED');
    const conflict = first!.secrets.insertion(secretOf(projectId, 'KEPT', ''), 'sealed');
    const lost = first!.secrets.deletion(kept.id, 7);
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? first! : second!).add(projectIds[n % 3] ?? other, `N_${n}`),
      ),
      second!.commit(second!.secrets.deletion(removed.id, 1)),
      first!.commit(conflict),
      first!.commit(lost),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 21 }, () => 'fulfilled'),
      'rejected',
      'rejected',
    ]);
    const totals = [projectIds, [projectId], [other], [newId()]].map((ids) => namesOf(second, ids));
    expect((await Promise.all(totals)).map(({ length }) => length)).toEqual([21, 8, 13, 0]);
  });

  it('a search of secrets queries the database if the names and descriptions are too long for the cache', async () => {
    const projectId = newId();
    await first!.add(projectId, 'RARE');
    const rows = Array.from({ length: 4_300 }, (_, n) => `('${newId()}', 'LONG_${n}')`);
    await first!.dataSource.query(
      `WITH made(id, name) AS (VALUES ${rows.join(', ')})
       INSERT INTO secrets (id, project_id, name, description, sealed, version, revision, created_at, updated_at)
       SELECT ${database.settings.dialect === 'postgres' ? 'made.id::uuid' : 'made.id'}, s.project_id, made.name,
         '${'x'.repeat(2_000)}', s.sealed, 1, 1, s.created_at, s.updated_at FROM made, secrets AS s WHERE s.project_id = '${projectId}'`,
    );
    for (const _ of [1, 2]) {
      expect(await namesOf(first, [projectId], 'rare')).toEqual(['RARE']);
      expect(await namesOf(first, [projectId], 'long_429')).toHaveLength(11);
    }
  });

  it('the migration for secret lists adds existing secrets to the secret lists and to the search', async () => {
    const projectId = newId();
    const migration = new SecretLists1796083201000().name;
    await undoMigrationsTo(first!.dataSource, migration);
    for (const name of ['OLD_1', 'OLD_2']) await first!.add(projectId, name);
    for (const _ of [1, 2]) {
      await first!.dataSource.runMigrations();
      expect(await namesOf(first, [projectId])).toEqual(['OLD_1', 'OLD_2']);
      expect(await namesOf(first, [projectId], 'old_2')).toEqual(['OLD_2']);
      await undoMigrationsTo(first!.dataSource, migration);
    }
  });
});
