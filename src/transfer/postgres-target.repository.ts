import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import {
  dataSourceOptions,
  loadedEntities,
  type MigrationClass,
  openDataSource,
  withSchemaLocked,
} from '../database/index.js';
import type { TransferBatch, TransferTable } from './transfer-table.js';

/** Maximum wait for the table locks of the PostgreSQL database, in milliseconds. */
const LOCK_MS = 5_000;

/** The PostgreSQL database into which a transfer copies all rows in one transaction. */
export class PostgresTarget {
  /** Tables of all loaded entities. Each table comes after the tables that it references. */
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
      counted: metadata.columns.find(isCounted)?.databaseName ?? null,
    }));
    this.inserts = new Map(this.tables.map((table) => [table.name, insertOf(table)]));
  }

  /**
   * Migrates the PostgreSQL database to the latest schema, then runs `fill` in a transaction. A service that starts on
   * the database meanwhile waits for the schema lock.
   * @param schema all migrations of the service, and the plug-in migrations that were applied to the SQLite file
   * @throws DatabaseUnavailableError, and any error of `fill`, which rolls back the transaction
   */
  static async filled(
    url: string,
    {
      migrations,
      ofPlugins,
    }: { readonly migrations: readonly MigrationClass[]; readonly ofPlugins: readonly MigrationClass[] },
    fill: (target: PostgresTarget) => Promise<void>,
  ): Promise<void> {
    const dataSource = await openDataSource(
      dataSourceOptions({ dialect: 'postgres', url }, loadedEntities(), migrations),
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
          // ROLLBACK fails only if the connection was lost. PostgreSQL has then already rolled back.
          await runner.query('ROLLBACK').catch(() => undefined);
          throw error;
        }
        // Without new statistics, the query planner would assume that the filled tables are empty.
        await runner.query('ANALYZE');
      });
    } finally {
      await dataSource.destroy();
    }
  }

  /**
   * Locks all tables of the PostgreSQL database against writes by other transactions.
   * @throws Error if a lock is not free within five seconds
   */
  async lock(): Promise<void> {
    await this.runner.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    const names = this.tables.map(({ name }) => `"${name}"`).join(', ');
    await this.runner.query(`LOCK TABLE ${names} IN EXCLUSIVE MODE`);
  }

  /** Returns the names of the migrations that were applied to the PostgreSQL database, oldest first. */
  async steps(): Promise<readonly string[]> {
    const rows = await this.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  }

  async count({ name }: TransferTable): Promise<number> {
    const [row] = await this.query<{ count: string }>(`SELECT count(*) FROM "${name}"`);
    return Number(row?.count);
  }

  async add({ name }: TransferTable, batch: TransferBatch): Promise<void> {
    await this.runner.query(this.inserts.get(name) ?? '', [...batch]);
  }

  /** Sets the sequence of a table's generated numbers, so that new rows get numbers greater than `number`. */
  async continueSequenceAfter({ name, counted }: TransferTable, number: number): Promise<void> {
    const [row] = await this.query<{ sequence: string | null }>(
      'SELECT pg_get_serial_sequence($1, $2) AS sequence',
      [`"${name}"`, counted],
    );
    // `ALTER SEQUENCE` is used, because a rollback does not undo `setval`.
    if (row?.sequence) await this.runner.query(`ALTER SEQUENCE ${row.sequence} RESTART WITH ${number + 1}`);
    else await this.restartOrder(number);
  }

  /**
   * Sets the offset of journal positions, so that new positions are greater than `number`. A function of the schema
   * computes each position from this offset and the transaction id.
   */
  private async restartOrder(number: number): Promise<void> {
    const [row] = await this.query<{ distance: string }>(
      `SELECT $1::bigint + 1024 - pg_current_xact_id()::text::bigint * 1024 AS distance`,
      [number],
    );
    await this.runner.query(`ALTER SEQUENCE journal_offset RESTART WITH ${row?.distance}`);
  }

  private query<T>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return this.dataSource.query<T[]>(sql, parameters, this.runner);
  }
}

/** Whether the database generates the values of a column, either with a sequence or with a function of the schema. */
function isCounted({ generationStrategy, default: made }: EntityMetadata['columns'][number]): boolean {
  return generationStrategy === 'increment' || typeof made === 'function';
}

/**
 * Returns SQL that inserts a batch of rows. Each parameter has the values of one column as an array of strings, and
 * PostgreSQL casts them to the type of the column.
 */
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
