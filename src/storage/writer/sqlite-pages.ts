import type { Database } from 'better-sqlite3';

/** Pages given back at once: a megabyte. */
const PAGES = 256;

/** The value of `auto_vacuum` of a file whose pages can be given back one by one; set when the file is made. */
const INCREMENTAL = 2;

/**
 * Cuts free pages off the file, which is as long as it ever was otherwise.
 * @returns bytes that are left to cut off; 0 where they are kept for what is written next
 */
export function cutFreePages(database: Database): number {
  const number = (pragma: string): number => Number(database.pragma(pragma, { simple: true }));
  if (number('auto_vacuum') !== INCREMENTAL) return 0;
  // Not a prepared statement, which would stop at the first page.
  database.exec(`PRAGMA incremental_vacuum(${PAGES})`);
  const left = number('freelist_count');
  // The file is cut when the log is folded into it.
  if (left === 0) database.pragma('wal_checkpoint(PASSIVE)');
  return left * number('page_size');
}
