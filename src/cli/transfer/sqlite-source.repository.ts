import Database from 'better-sqlite3';
import { CommandError } from '../command-error.js';
import type { TransferBatch, TransferTable } from './transfer-table.js';

/** What is in memory at a time: so many rows, or less where they are long. */
const BATCH_ROWS = 2_000;
const BATCH_CHARACTERS = 4_194_304;

/** Kept by SQLite, by the migrations and by triggers: no data of the service. */
const OWN_TABLES = ['migrations', 'typeorm_metadata', 'execution_metadata'];

/** What SQLite holds; whole numbers of any size. */
type SqliteValue = string | number | bigint | Buffer | null;

/** A process that entered itself into the file. */
interface SourceInstance {
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly silentMs: number;
}

/** The SQLite file that everything is taken from. It is read, and held so that nobody else writes to it. */
export class SqliteSource {
  private constructor(
    readonly path: string,
    private readonly database: Database.Database,
  ) {}

  /**
   * Opens the file and keeps others from writing to it until `close`.
   * @throws CommandError where it cannot be read, or somebody is writing to it.
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

  /** Nothing was written, so nothing is left behind. */
  close(): void {
    if (this.database.inTransaction) this.database.exec('ROLLBACK');
    this.database.close();
  }

  /** Processes that entered themselves and did not leave: running ones, and those that were killed. */
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

  /** Names of the steps of the schema that it has, oldest first. */
  steps(): readonly string[] {
    if (!this.names().includes('migrations')) return [];
    return this.database.prepare<[], string>('SELECT name FROM migrations ORDER BY id').pluck().all();
  }

  /** Names of the tables with data of the service. */
  tables(): readonly string[] {
    return this.names().filter((name) => !OWN_TABLES.includes(name) && !name.startsWith('sqlite_'));
  }

  /** The steps of plug-ins that were applied. */
  pluginSteps(): readonly { readonly plugin: string; readonly name: string }[] {
    if (!this.tables().includes('plugin_migrations')) return [];
    return this.database
      .prepare<[], { plugin: string; name: string }>('SELECT plugin, name FROM plugin_migrations')
      .all();
  }

  count({ name }: TransferTable): number {
    return this.database.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0;
  }

  /** The last number that was given out in a table, whether or not its row is still there; 0 for none. */
  lastNumber({ name }: TransferTable): number {
    return (
      this.database
        .prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?')
        .pluck()
        .get(name) ?? 0
    );
  }

  /** All rows, a batch at a time. Nothing else can be asked of the source meanwhile. */
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

/** What SQLite holds, in the way PostgreSQL reads the value of any type: times, JSON and ids are text in both. */
function asText(value: SqliteValue): string | null {
  if (value === null) return null;
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
}
