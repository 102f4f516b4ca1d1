import type { Database } from 'better-sqlite3';

/** Number of pages that one call removes from the file. 256 pages of 4 KiB are one megabyte. */
const PAGES = 256;

/**
 * Value of the pragma `auto_vacuum` in files that can shrink page by page. Only the creation of a file can set this
 * value.
 */
const INCREMENTAL = 2;

/**
 * Removes free pages from the SQLite file, which would otherwise never shrink.
 *
 * @returns number of bytes that further calls can return to the disk; 0 also for a file without incremental
 * `auto_vacuum`
 */
export function cutFreePages(database: Database): number {
  const number = (pragma: string): number => Number(database.pragma(pragma, { simple: true }));
  if (number('auto_vacuum') !== INCREMENTAL) return 0;
  // `exec` runs the pragma to its end. A prepared statement would stop after the first page.
  database.exec(`PRAGMA incremental_vacuum(${PAGES})`);
  const left = number('freelist_count');
  // The checkpoint is needed, because the file on the disk shrinks only at a checkpoint of the write-ahead
  // log.
  if (left === 0) database.pragma('wal_checkpoint(PASSIVE)');
  return left * number('page_size');
}
