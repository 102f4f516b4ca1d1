import type { Database } from 'better-sqlite3';

/** Room in the database that what was removed has left. */
export abstract class FreedSpace {
  /**
   * Gives some of it back to the disk, in the time of a commit.
   * @returns bytes that are left to give back; 0 where the database keeps them for what is written next
   */
  abstract giveBack(): number;
}

/** PostgreSQL sees to it by itself. */
export class NoFreedSpace extends FreedSpace {
  giveBack(): number {
    return 0;
  }
}

/** Pages given back at once: a megabyte. */
const PAGES = 256;

/** The value of `auto_vacuum` of a file whose pages can be given back one by one; set when the file is made. */
const INCREMENTAL = 2;

/** SQLite, whose file is as long as it ever was unless it is cut. */
export class SqliteFreedSpace extends FreedSpace {
  constructor(private readonly database: Database) {
    super();
  }

  giveBack(): number {
    if (this.number('auto_vacuum') !== INCREMENTAL) return 0;
    // Not a prepared statement, which would stop at the first page.
    this.database.exec(`PRAGMA incremental_vacuum(${PAGES})`);
    const left = this.number('freelist_count');
    // The file is cut when the log is folded into it.
    if (left === 0) this.database.pragma('wal_checkpoint(PASSIVE)');
    return left * this.number('page_size');
  }

  private number(pragma: string): number {
    return Number(this.database.pragma(pragma, { simple: true }));
  }
}
