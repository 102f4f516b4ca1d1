import Database from 'better-sqlite3';
import { CommandError } from '../command-error.js';
import type { TransferBatch, TransferTable } from './transfer-table.js';

/** Batch limits that bound memory: number of rows, or fewer if they are long. */
const BATCH_ROWS = 2_000;
const BATCH_CHARACTERS = 4_194_304;

/** Maintained by SQLite, migrations and triggers: not data of the service. */
const OWN_TABLES = ['migrations', 'typeorm_metadata', 'execution_metadata'];

/** A value of SQLite; bigint for integers of any size. */
type SqliteValue = string | number | bigint | Buffer | null;

/** A process registered in the file's `instances` table. */
interface SourceInstance {
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly silentMs: number;
}

/** The SQLite file that is the source of the transfer. It is only read, and locked against other writers. */
export class SqliteSource {
  private constructor(
    readonly path: string,
    private readonly database: Database.Database,
  ) {}

  /**
   * Opens the file and locks it against other writers until `close`.
   * @throws CommandError when it cannot be read, or another process is writing to it.
   */
  static open(path: string): SqliteSource {
    let database: Database.Database | undefined;
    try {
      database = new Database(path, { fileMustExist: true });
      database.exec('BEGIN IMMEDIATE');
      return new SqliteSource(path, database);
    } catch (error) {
      database?.close();
      throw new CommandError(
        `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
        {
          cause: error,
        },
      );
    }
  }

  /** Rolls back the transaction, which has written nothing. */
  close(): void {
    if (this.database.inTransaction) this.database.exec('ROLLBACK');
    this.database.close();
  }

  /** Processes that registered and did not deregister: running ones and killed ones. */
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

  /** Names of its applied migrations, oldest first. */
  steps(): readonly string[] {
    if (!this.names().includes('migrations')) return [];
    return this.database.prepare<[], string>('SELECT name FROM migrations ORDER BY id').pluck().all();
  }

  /** Names of the tables with the service's data. */
  tables(): readonly string[] {
    return this.names().filter((name) => !OWN_TABLES.includes(name) && !name.startsWith('sqlite_'));
  }

  /** The applied migrations of plug-ins. */
  pluginSteps(): readonly { readonly plugin: string; readonly name: string }[] {
    if (!this.tables().includes('plugin_migrations')) return [];
    return this.database
      .prepare<[], { plugin: string; name: string }>('SELECT plugin, name FROM plugin_migrations')
      .all();
  }

  count({ name }: TransferTable): number {
    return this.database.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0;
  }

  /** The last number that a table's auto-increment assigned, even if its row was deleted; 0 if none. */
  lastNumber({ name }: TransferTable): number {
    return (
      this.database
        .prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?')
        .pluck()
        .get(name) ?? 0
    );
  }

  /** All rows, one batch at a time. The source accepts no other query during the iteration. */
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
 * A SQLite value as text that PostgreSQL can parse for any column type. Times, JSON and ids are text in both databases.
 */
function asText(value: SqliteValue): string | null {
  if (value === null) return null;
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
}
