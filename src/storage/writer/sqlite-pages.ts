import type { Database } from 'better-sqlite3';

/** Number of pages per call: one megabyte. */
const PAGES = 256;

/** Value of `auto_vacuum` for files that can shrink page by page. Set when a file is created. */
const INCREMENTAL = 2;

/**
 * Truncates free pages from the end of the file, which would otherwise never shrink.
 *
 * @returns number of bytes that can still be returned to the disk; 0 also if the file keeps free pages for later
 * writes
 */
export function cutFreePages(database: Database): number {
  const number = (pragma: string): number => Number(database.pragma(pragma, { simple: true }));
  if (number('auto_vacuum') !== INCREMENTAL) return 0;
  // A prepared statement would stop after the first page.
  database.exec(`PRAGMA incremental_vacuum(${PAGES})`);
  const left = number('freelist_count');
  // The file shrinks only at a checkpoint of the write-ahead log.
  if (left === 0) database.pragma('wal_checkpoint(PASSIVE)');
  return left * number('page_size');
}
