import { DatabaseUnavailableError } from './data-source.js';

/**
 * Codes that say the database is locked, full, read-only, corrupt, restarting, or not there: the request is not at fault,
 * and the same one may succeed later. SQLite result codes, SQLSTATEs (PostgreSQL, appendix A), and those of sockets.
 */
const AWAY =
  /^(?:SQLITE_(?:BUSY|LOCKED|PROTOCOL|FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN)\w*|08\w{3}|53\w{3}|57P0[1-5]|57014|25006|55P03|40001|40P01|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE)$/;

/** What pg and its pool say without a code. */
const AWAY_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error, or the one it was made of, means that the database cannot answer right now. */
export function databaseIsAway(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    if (error instanceof DatabaseUnavailableError) return true;
    const { code, driverError } = error as { readonly code?: unknown; readonly driverError?: unknown };
    if ((typeof code === 'string' && AWAY.test(code)) || AWAY_MESSAGE.test(error.message)) return true;
    error = driverError ?? error.cause;
  }
  return false;
}

const MAX_CAUSES = 5;
