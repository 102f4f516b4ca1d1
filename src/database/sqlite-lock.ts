import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import type { DataSourceOptions } from 'typeorm';
import { DatabaseUnavailableError, makeOwn } from './data-source.js';

/** Maximum time in milliseconds that the start waits until another process releases the SQLite file. */
const WAIT_MS = 30_000;

/** Mode of the lock file: only the user of this process may read and write it. */
const PRIVATE_MODE = 0o600;

/** Milliseconds between two attempts to take the lock of the SQLite file. */
const RETRY_MS = 200;

/** Milliseconds between checks whether the database file or its lock file was replaced. */
const CHECK_INTERVAL_MS = 1_000;

/** Thrown at the start of the service when another process uses the SQLite file. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';

  constructor(path: string) {
    const user = holder(path);
    super(
      `${user} is using this SQLite database. Stop it, set DATA_DIR to another folder, or use PostgreSQL to run several processes.`,
    );
  }
}

/**
 * Thrown when the database file or its lock file was replaced. The lock no longer protects the path, so another process
 * may use the new file.
 */
export class DatabaseFileReplacedError extends Error {
  override readonly name = 'DatabaseFileReplacedError';

  constructor(path: string) {
    super(`${path} was removed or replaced while the service was running. The service exits.`);
  }
}

/**
 * Lock that lets only one service process use a SQLite file. The process holds an exclusive transaction on an empty
 * lock file next to the database. The operating system releases the lock when the process ends.
 */
export class SqliteLock {
  private readonly watch: NodeJS.Timeout;
  /**
   * Inode numbers of the database file and the lock file, by path. A changed number means that the file was replaced.
   */
  private readonly inodes = new Map<string, string>();

  private constructor(
    private readonly held: BetterSqlite.Database,
    private readonly path: string,
    private readonly onLost: (error: Error) => void,
  ) {
    this.checkFiles();
    this.watch = setInterval(() => this.checkFiles(), CHECK_INTERVAL_MS).unref();
  }

  /**
   * Takes the lock of a SQLite file. Waits up to `waitMs` milliseconds, 30 s by default.
   * @param say called once, with a message for the operator, if the process has to wait
   * @param onLost called when the database file or lock file was replaced; by default, ends the process
   * @throws DatabaseInUseError if another process still holds the lock after the wait
   */
  static async take(
    path: string,
    say: (text: string) => void,
    onLost: (error: Error) => void = endProcess,
    waitMs = WAIT_MS,
  ): Promise<SqliteLock> {
    const deadline = performance.now() + waitMs;
    for (let tries = 1; ; tries += 1) {
      const held = tryToHold(path);
      if (held !== null) return new SqliteLock(held, path, onLost);
      if (performance.now() >= deadline) throw new DatabaseInUseError(path);
      if (tries === 1)
        say(`${holder(path)} is using ${path}. Waiting up to ${waitMs / 1_000} seconds for it to exit.`);
      await pause(RETRY_MS);
    }
  }

  /**
   * @param say called once, with a message for the operator, if the process has to wait
   * @returns null on PostgreSQL
   * @throws DatabaseInUseError, DatabaseUnavailableError
   */
  static async ofService(
    options: DataSourceOptions,
    say: (text: string) => void,
  ): Promise<SqliteLock | null> {
    if (options.type !== 'better-sqlite3') return null;
    try {
      makeOwn(options);
      return await SqliteLock.take(options.database, say);
    } catch (error) {
      throw error instanceof DatabaseInUseError ? error : DatabaseUnavailableError.of(options, error);
    }
  }

  release(): void {
    clearInterval(this.watch);
    this.held.close();
  }

  private checkFiles(): void {
    for (const file of [lockPath(this.path), this.path]) {
      const [known, inode] = [this.inodes.get(file), inodeOf(file)];
      if (known === undefined && inode !== null) this.inodes.set(file, inode);
      if (known === undefined || known === inode) continue;
      clearInterval(this.watch);
      return this.onLost(new DatabaseFileReplacedError(file));
    }
  }
}

function lockPath(path: string): string {
  return `${path}-lock`;
}

/** Tries once to take the lock. Returns the open lock file, or null if another process holds the lock. */
function tryToHold(path: string): BetterSqlite.Database | null {
  const file = lockPath(path);
  // Creates the lock file only if it is missing. On POSIX systems, closing any descriptor of an existing lock file
  // would release the lock that this process already holds.
  if (!existsSync(file)) closeSync(openSync(file, 'a', PRIVATE_MODE));
  const database = new BetterSqlite(file, { timeout: 0 });
  try {
    // With a journal in memory, SQLite creates no journal file next to the lock file.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { readonly code?: unknown }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
}

/** Names the process that holds the lock, for messages: "Another Workflow Service", with its process id if known. */
function holder(path: string): string {
  const inode = inodeOf(lockPath(path));
  const pid = inode === null ? undefined : holderOf(inode);
  return `Another Workflow Service${pid === undefined ? '' : ` (process ${pid})`}`;
}

/**
 * Process id of the lock's holder, from `/proc/locks` on Linux. Undefined if unknown. A line has the form `1: POSIX
 * ADVISORY WRITE <pid> <major>:<minor>:<inode> <from> <to>`.
 */
function holderOf(inode: string): string | undefined {
  try {
    const line = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find((text) => text.includes(' WRITE ') && text.includes(`:${inode} `));
    return / WRITE (\d+) /.exec(line ?? '')?.[1];
  } catch {
    return undefined;
  }
}

function inodeOf(path: string): string | null {
  try {
    return String(statSync(path, { bigint: true }).ino);
  } catch {
    return null;
  }
}

/** Ends the process with an uncaught error. Two services on one SQLite file would both run every execution. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
