import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import {
  dataSourceOptions,
  loadedEntities,
  type MigrationClass,
  openDataSource,
  withSchemaLocked,
} from '../../database/index.js';
import type { TransferBatch, TransferTable } from './transfer-table.js';

/** Maximum wait for the table locks of the target. */
const LOCK_MS = 5_000;

/** The PostgreSQL target of the transfer, filled in one transaction. */
export class PostgresTarget {
  /** Every table with an entity, each after the tables that it references. */
  readonly tables: readonly TransferTable[];
  private readonly inserts: ReadonlyMap<string, string>;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly runner: QueryRunner,
  ) {
    this.tables = inOrderOfReference(dataSource.entityMetadatas).map((metadata) => ({
      name: metadata.tableName,
      columns: metadata.columns.map((column) => ({
        name: column.databaseName,
        type: dataSource.driver.normalizeType(column),
      })),
      counted:
        metadata.columns.find((column) => column.generationStrategy === 'increment')?.databaseName ?? null,
    }));
    this.inserts = new Map(this.tables.map((table) => [table.name, insertOf(table)]));
  }

  /**
   * Migrates the target to the latest schema and fills it. Commits when `fill` resolves and rolls back when it rejects.
   * The schema lock makes a service that starts on the database wait.
   * @param ofPlugins migrations of the loaded plug-ins' tables; the transferred rows record them as applied
   * @throws DatabaseUnavailableError, and any error of `fill`
   */
  static async filled(
    url: string,
    ofPlugins: readonly MigrationClass[],
    fill: (target: PostgresTarget) => Promise<void>,
  ): Promise<void> {
    // Only this command imports the entities of all modules.
    const { MIGRATIONS } = await import('../../schema.js');
    const dataSource = await openDataSource(
      dataSourceOptions({ dialect: 'postgres', url }, loadedEntities(), MIGRATIONS),
      false,
    );
    try {
      await withSchemaLocked(dataSource, async (steps, runner) => {
        await steps.up();
        await runner.query('BEGIN');
        try {
          for (const Step of ofPlugins) await new Step().up(runner);
          await fill(new PostgresTarget(dataSource, runner));
          await runner.query('COMMIT');
        } catch (error) {
          // A lost connection has already rolled back its transaction.
          await runner.query('ROLLBACK').catch(() => undefined);
          throw error;
        }
        // Without fresh statistics the query planner would assume empty tables.
        await runner.query('ANALYZE');
      });
    } finally {
      await dataSource.destroy();
    }
  }

  /**
   * Locks all tables against other writers. @throws when another transaction holds a lock for longer than five seconds
   */
  async lock(): Promise<void> {
    await this.runner.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    const names = this.tables.map(({ name }) => `"${name}"`).join(', ');
    await this.runner.query(`LOCK TABLE ${names} IN EXCLUSIVE MODE`);
  }

  /** Names of its applied migrations, oldest first. */
  async steps(): Promise<readonly string[]> {
    const rows = await this.ask<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  }

  async count({ name }: TransferTable): Promise<number> {
    const [row] = await this.ask<{ count: string }>(`SELECT count(*) FROM "${name}"`);
    return Number(row?.count);
  }

  async add({ name }: TransferTable, batch: TransferBatch): Promise<void> {
    await this.runner.query(this.inserts.get(name) ?? '', [...batch]);
  }

  /** Continues the table's sequence after a number. */
  async goOnAfter({ name, counted }: TransferTable, number: number): Promise<void> {
    const [row] = await this.ask<{ sequence: string }>('SELECT pg_get_serial_sequence($1, $2) AS sequence', [
      `"${name}"`,
      counted,
    ]);
    // Unlike `setval`, it is rolled back with the transaction.
    await this.runner.query(`ALTER SEQUENCE ${row?.sequence} RESTART WITH ${number + 1}`);
  }

  private ask<T>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return this.dataSource.query<T[]>(sql, parameters, this.runner);
  }
}

/** All values are sent as text; the server casts them to the column's type. */
function insertOf({ name, columns }: TransferTable): string {
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const values = columns.map((column) => `v."${column.name}"::${column.type}`).join(', ');
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
  return `INSERT INTO "${name}" (${names}) SELECT ${values} FROM unnest(${arrays}) AS v(${names})`;
}

function inOrderOfReference(metadatas: readonly EntityMetadata[]): readonly EntityMetadata[] {
  const ordered = new Set<EntityMetadata>();
  const add = (metadata: EntityMetadata): void => {
    for (const { referencedEntityMetadata } of metadata.foreignKeys)
      if (referencedEntityMetadata !== metadata) add(referencedEntityMetadata);
    ordered.add(metadata);
  };
  metadatas.forEach(add);
  return [...ordered];
}
