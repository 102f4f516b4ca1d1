import { DatabaseUnavailableError } from './data-source.js';

/**
 * Error codes that mean that the database is temporarily unusable: the server is unreachable, a lock or deadlock
 * stopped a statement, the disk is full, or the file is corrupt. The codes are SQLite result codes, PostgreSQL
 * SQLSTATEs and codes of network errors.
 */
const UNAVAILABLE_CODES =
  /^(?:SQLITE_(?:BUSY|LOCKED|PROTOCOL|FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN)\w*|08\w{3}|53\w{3}|57P0[1-5]|57014|25006|55P03|40001|40P01|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE)$/;

/** Messages of connection errors for which the PostgreSQL driver sets no code. */
const AWAY_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error, or one of its causes, means that the database is temporarily unusable. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    if (error instanceof DatabaseUnavailableError) return true;
    const { code, driverError } = error as { readonly code?: unknown; readonly driverError?: unknown };
    if ((typeof code === 'string' && UNAVAILABLE_CODES.test(code)) || AWAY_MESSAGE.test(error.message))
      return true;
    error = driverError ?? error.cause;
  }
  return false;
}

const MAX_CAUSES = 5;
