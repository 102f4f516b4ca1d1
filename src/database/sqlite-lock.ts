import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';

/** Time that a start waits for another process to release the file. */
const WAIT_MS = 30_000;

/** Readable and writable by this user only. */
const PRIVATE_MODE = 0o600;

/** Interval between attempts. */
const RETRY_MS = 200;

/** Interval of the check that the lock file is still the one at this path. */
const LOOK_MS = 1_000;

/** Thrown at start when another process uses the same SQLite file; a second one must not run on it. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';

  constructor(path: string) {
    super(
      `${holder(path)} runs on this SQLite database. Stop it, set DATA_DIR to another directory, or use PostgreSQL to run several.`,
    );
  }
}

/** Thrown when the file of the database, or of its lock, was replaced: another process may use the new one. */
export class DatabaseFileReplacedError extends Error {
  override readonly name = 'DatabaseFileReplacedError';

  constructor(path: string) {
    super(`${path} was removed or replaced while the service ran on it; the service ends.`);
  }
}

/**
 * Makes a process the only service on a SQLite file, by a lock of the operating system: an exclusive transaction on an
 * empty file beside it. The lock ends with the process; a stopped process keeps it. Commands and backups do not take
 * it.
 */
export class SqliteLock {
  private readonly watch: NodeJS.Timeout;
  /** Of the lock file and, once it exists, of the database. */
  private readonly inodes = new Map<string, string>();

  private constructor(
    private readonly held: BetterSqlite.Database,
    private readonly path: string,
    private readonly onLost: (error: Error) => void,
  ) {
    this.look();
    this.watch = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /**
   * @param say called once if it has to wait
   * @param onLost called when the lock no longer protects the path
   * @throws DatabaseInUseError when another process still holds it after 30 s
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
        say(`${holder(path)} runs on ${path}; waiting up to ${waitMs / 1_000} seconds for it to end.`);
      await pause(RETRY_MS);
    }
  }

  release(): void {
    clearInterval(this.watch);
    this.held.close();
  }

  private look(): void {
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

/** Null if another process, or another part of this one, holds it. */
function tryToHold(path: string): BetterSqlite.Database | null {
  const file = lockPath(path);
  // Never opened if it exists: closing it would release a lock of this process.
  if (!existsSync(file)) closeSync(openSync(file, 'a', PRIVATE_MODE));
  const database = new BetterSqlite(file, { timeout: 0 });
  try {
    // Creates no journal file.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { readonly code?: unknown }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
}

/** "Another Workflow Service", with its process id if the system reports it. */
function holder(path: string): string {
  const inode = inodeOf(lockPath(path));
  const pid = inode === null ? undefined : holderOf(inode);
  return `Another Workflow Service${pid === undefined ? '' : ` (process ${pid})`}`;
}

/** Linux lists locks as `1: POSIX  ADVISORY  WRITE <pid> <major>:<minor>:<inode> <from> <to>`. */
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

/** Immediately, as after any unhandled error: two services on one path would both run every execution. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
