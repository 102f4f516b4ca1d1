import { type DataSource, getMetadataArgsStorage } from 'typeorm';
import type { EntityClass } from './data-source.js';

/**
 * Thrown when an entity is not part of a module or has no table, or when the database contains a migration of a plug-in
 * that the installed version of the plug-in lacks. The message lists each problem.
 */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

export function loadedEntities(): readonly EntityClass[] {
  return getMetadataArgsStorage().tables.flatMap(({ target, type }) =>
    type === 'regular' && typeof target === 'function' ? [target as EntityClass] : [],
  );
}

/**
 * @throws SchemaError that lists all entities without a module or a table
 */
export async function requireSchema(dataSource: DataSource): Promise<void> {
  const known = new Set(dataSource.entityMetadatas.map(({ target }) => target));
  const unlisted = loadedEntities().filter((entity) => !known.has(entity));
  const tables = await tablesOf(dataSource);
  const missing = dataSource.entityMetadatas.filter(({ tableName }) => !tables.has(tableName));
  const faults = [
    ...unlisted.map(
      ({ name }) => `The entity ${name} is not part of a module. Add it to TypeOrmModule.forFeature.`,
    ),
    ...missing.map(
      ({ name, tableName }) =>
        `The entity ${name} has no table "${tableName}". Add a migration and list it in migrations/index.ts.`,
    ),
  ];
  if (faults.length > 0) throw new SchemaError(faults.join('\n'));
}

async function tablesOf(dataSource: DataSource): Promise<ReadonlySet<string>> {
  const sql =
    dataSource.options.type === 'postgres'
      ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()'
      : `SELECT name FROM sqlite_master WHERE type = 'table'`;
  const rows = await dataSource.query<readonly { readonly name: string }[]>(sql);
  return new Set(rows.map(({ name }) => name));
}
