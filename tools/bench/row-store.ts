/** Writes rows to the database of a stopped service, on SQLite and PostgreSQL. */
import Database from 'better-sqlite3';
import pg from 'pg';

/**
 * Size of the SQLite cache in KiB. The default cache is too small for the index of search words, whose entries are
 * inserted in random order.
 */
const CACHE_KIB = 512 * 1_024;

export type Row = Readonly<Record<string, unknown>>;

/** Reads and writes rows directly in the SQLite or PostgreSQL database of the service. */
export interface RowStore {
  read(table: string, column: string, executionId: string): Promise<readonly Row[]>;
  /** Inserts rows that all have the same columns. Values that are objects are stored as JSON. */
  insert(table: string, rows: readonly Row[]): Promise<void>;
  /** Runs a query whose result is a single number, and returns this number. */
  number(sql: string): Promise<number>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  close(): Promise<void>;
}

/** @param database URL of a PostgreSQL database, or path of a SQLite file */
export function openRows(database: string): Promise<RowStore> {
  return database.startsWith('postgres')
    ? PostgresRows.open(database)
    : Promise.resolve(new SqliteRows(database));
}

class SqliteRows implements RowStore {
  private readonly database: Database.Database;

  constructor(path: string) {
    this.database = new Database(path);
    this.database.pragma(`cache_size = -${CACHE_KIB}`);
  }

  read(table: string, column: string, executionId: string): Promise<readonly Row[]> {
    return Promise.resolve(
      this.database.prepare<[string], Row>(`SELECT * FROM ${table} WHERE ${column} = ?`).all(executionId),
    );
  }

  insert(table: string, rows: readonly Row[]): Promise<void> {
    const names = Object.keys(rows[0] ?? {});
    const statement = this.database.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    );
    for (const row of rows)
      statement.run(
        Object.values(row).map((value) =>
          typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
        ),
      );
    return Promise.resolve();
  }

  number(sql: string): Promise<number> {
    return Promise.resolve(Number(this.database.prepare(sql).pluck().get()));
  }

  begin(): Promise<void> {
    this.database.exec('BEGIN IMMEDIATE');
    return Promise.resolve();
  }

  commit(): Promise<void> {
    this.database.exec('COMMIT');
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.database.close();
    return Promise.resolve();
  }
}

class PostgresRows implements RowStore {
  private readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  static async open(url: string): Promise<PostgresRows> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new PostgresRows(client);
  }

  async read(table: string, column: string, executionId: string): Promise<readonly Row[]> {
    return (await this.client.query<Row>(`SELECT * FROM ${table} WHERE ${column} = $1`, [executionId])).rows;
  }

  async insert(table: string, rows: readonly Row[]): Promise<void> {
    const names = Object.keys(rows[0] ?? {}).join(', ');
    await this.client.query(
      `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [JSON.stringify(rows)],
    );
  }

  async number(sql: string): Promise<number> {
    const { rows } = await this.client.query<Row>(sql);
    return Number(Object.values(rows[0] ?? {})[0]);
  }

  async begin(): Promise<void> {
    await this.client.query('BEGIN');
  }

  async commit(): Promise<void> {
    await this.client.query('COMMIT');
  }

  async close(): Promise<void> {
    await this.client.query('ANALYZE');
    await this.client.end();
  }
}
