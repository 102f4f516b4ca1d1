import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import {
  dataSourceOptions,
  loadedEntities,
  type MigrationClass,
  openDataSource,
  withSchemaLocked,
} from '../../database/index.js';
import type { TransferBatch, TransferTable } from './transfer-table.js';

/** Longest wait for those who write to a table of the target. */
const LOCK_MS = 5_000;

/** The PostgreSQL database that everything goes into: in one transaction, or not at all. */
export class PostgresTarget {
  /** Every table that an entity describes, each after those that it refers to. */
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
   * Brings the schema of the target up to date and fills it. What `fill` did is there once it resolves, and none of
   * it where it rejects. Meanwhile nobody else writes to the tables, and whoever starts on the database waits.
   * @param ofPlugins the steps that made the tables of plug-ins, which are loaded; their rows say that they are applied
   * @throws DatabaseUnavailableError, and whatever `fill` throws
   */
  static async filled(
    url: string,
    ofPlugins: readonly MigrationClass[],
    fill: (target: PostgresTarget) => Promise<void>,
  ): Promise<void> {
    // The entities of all rooms are loaded for this command alone.
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
          // A connection that is lost takes its transaction along.
          await runner.query('ROLLBACK').catch(() => undefined);
          throw error;
        }
        // Until the server has counted for itself it would plan for empty tables.
        await runner.query('ANALYZE');
      });
    } finally {
      await dataSource.destroy();
    }
  }

  /** Keeps everybody else from writing. @throws where somebody writes for longer than five seconds */
  async lock(): Promise<void> {
    await this.runner.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    const names = this.tables.map(({ name }) => `"${name}"`).join(', ');
    await this.runner.query(`LOCK TABLE ${names} IN EXCLUSIVE MODE`);
  }

  /** Names of the steps of the schema that it has, oldest first. */
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

  /** What a table counts up goes on after a number. */
  async goOnAfter({ name, counted }: TransferTable, number: number): Promise<void> {
    const [row] = await this.ask<{ sequence: string }>('SELECT pg_get_serial_sequence($1, $2) AS sequence', [
      `"${name}"`,
      counted,
    ]);
    // Unlike `setval` it is undone with the transaction.
    await this.runner.query(`ALTER SEQUENCE ${row?.sequence} RESTART WITH ${number + 1}`);
  }

  private ask<T>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return this.dataSource.query<T[]>(sql, parameters, this.runner);
  }
}

/** All values come as text; the server reads them as what the column is. */
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
