import Database from 'better-sqlite3';
import type { TransferBatch, TransferTable } from './transfer-table.js';
import { TransferError } from './transfer.errors.js';

/** Maximum number of rows in a batch. A batch of long rows has fewer rows, so that the transfer needs little memory. */
const BATCH_ROWS = 2_000;
const BATCH_CHARACTERS = 4_194_304;

/**
 * Tables that are not transferred. Each database fills these tables itself, by migrations, by triggers, or internally.
 */
const OWN_TABLES = ['migrations', 'typeorm_metadata', 'execution_metadata', 'list_counts', 'secret_lists'];

/** A value that was read from SQLite. Integers are read as bigint, because a number loses precision above 2^53. */
type SqliteValue = string | number | bigint | Buffer | null;

/** A process of the service, as the table `instances` of the SQLite file lists it. */
interface SourceInstance {
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly silentMs: number;
}

/** The SQLite file from which a transfer reads. While the source is open, other processes cannot write to the file. */
export class SqliteSource {
  private constructor(
    readonly path: string,
    private readonly database: Database.Database,
  ) {}

  /**
   * Opens a SQLite file and locks it against other writers until `close`.
   * @throws TransferError if the file cannot be read, or another process is writing to it
   */
  static open(path: string): SqliteSource {
    let database: Database.Database | undefined;
    try {
      database = new Database(path, { fileMustExist: true });
      database.exec('BEGIN IMMEDIATE');
      return new SqliteSource(path, database);
    } catch (error) {
      database?.close();
      throw new TransferError(
        `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
        {
          cause: error,
        },
      );
    }
  }

  /** Ends the read-only transaction and closes the SQLite file. */
  close(): void {
    if (this.database.inTransaction) this.database.exec('ROLLBACK');
    this.database.close();
  }

  /** Returns the processes that have not deregistered from the SQLite file. They are running, or they crashed. */
  instances(): readonly SourceInstance[] {
    if (!this.tables().includes('instances')) return [];
    return this.database
      .prepare<[], { host: string; pid: number; started_at: string; last_seen_at: string }>(
        'SELECT host, pid, started_at, last_seen_at FROM instances',
      )
      .all()
      .map(({ host, pid, started_at, last_seen_at }) => ({
        host,
        pid,
        startedAt: started_at,
        silentMs: Date.now() - Date.parse(last_seen_at),
      }));
  }

  /** Returns the names of the migrations that were applied to the SQLite file, oldest first. */
  steps(): readonly string[] {
    if (!this.names().includes('migrations')) return [];
    return this.database.prepare<[], string>('SELECT name FROM migrations ORDER BY id').pluck().all();
  }

  /** Returns the names of the tables to transfer. */
  tables(): readonly string[] {
    return this.names().filter((name) => !OWN_TABLES.includes(name) && !name.startsWith('sqlite_'));
  }

  /** Returns the migrations of plug-ins that were applied to the SQLite file. */
  pluginSteps(): readonly { readonly plugin: string; readonly name: string }[] {
    if (!this.tables().includes('plugin_migrations')) return [];
    return this.database
      .prepare<[], { plugin: string; name: string }>('SELECT plugin, name FROM plugin_migrations')
      .all();
  }

  count({ name }: TransferTable): number {
    return this.database.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0;
  }

  /**
   * Returns the highest number that the auto-increment column of a table ever had, including deleted rows; 0 if the
   * table never had a row.
   */
  lastNumber({ name }: TransferTable): number {
    return (
      this.database
        .prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?')
        .pluck()
        .get(name) ?? 0
    );
  }

  /**
   * Yields all rows of a table in batches. The database connection cannot run other queries until the iteration ends.
   */
  *batches({ name, columns }: TransferTable): Generator<TransferBatch> {
    const list = columns.map((column) => `"${column.name}"`).join(', ');
    const rows = this.database
      .prepare<[], readonly SqliteValue[]>(`SELECT ${list} FROM "${name}"`)
      .raw()
      .safeIntegers()
      .iterate();
    let batch: (string | null)[][] = columns.map(() => []);
    let [count, characters] = [0, 0];
    for (const row of rows) {
      for (const [index, values] of batch.entries()) {
        const text = asText(row[index] ?? null);
        values.push(text);
        characters += text?.length ?? 0;
      }
      count += 1;
      if (count < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
      yield batch;
      batch = columns.map(() => []);
      [count, characters] = [0, 0];
    }
    if (count > 0) yield batch;
  }

  private names(): readonly string[] {
    return this.database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all();
  }
}

/**
 * Converts a SQLite value to a string that PostgreSQL can cast to the type of the column. Times, JSON and ids have the
 * same string form in SQLite and PostgreSQL.
 */
function asText(value: SqliteValue): string | null {
  if (value === null) return null;
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
}
