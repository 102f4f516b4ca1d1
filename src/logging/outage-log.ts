import type { LogFn, Logger } from 'pino';
import { sqliteFault, databaseIsAway } from '../database/index.js';

/** Error code of a readiness probe when the database does not respond. */
const NOT_READY = 'not_ready';

/** Minimum interval between log lines about outages, in milliseconds. */
const EVERY_MS = 60_000;

type LogMethod = (this: Logger, parameters: Parameters<LogFn>, log: LogFn, level: number) => void;

/**
 * Pino hook for every line: limits lines about database outages to one per minute. During an outage, every request,
 * execution and heartbeat fails. If a full disk causes the outage, a line for each failure would fill the disk further.
 * @param log writes the line
 */
export function limitOutages(log: LogMethod, now: () => number = () => performance.now()): LogMethod {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  const isOutage = (error: unknown): boolean => databaseIsAway(error) || codeOf(error) === NOT_READY;
  return function limited(parameters, write, level) {
    const [fields] = parameters as readonly unknown[];
    const error = typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : undefined;
    if (error === undefined || level < (this.levels.values['warn'] ?? 0) || !isOutage(error))
      return log.call(this, parameters, write, level);
    if (now() - writtenAt < EVERY_MS) {
      leftOut += 1;
      return;
    }
    const [, ...rest] = parameters as unknown as readonly [object, ...unknown[]];
    const more = {
      ...(fields as object),
      ...adviceOf(error),
      ...(leftOut === 0 ? {} : { similar_lines_left_out: leftOut }),
    };
    writtenAt = now();
    leftOut = 0;
    log.call(this, [more, ...rest] as unknown as Parameters<LogFn>, write, level);
  };
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { readonly code?: unknown; readonly driverError?: unknown };
  return typeof code === 'string' ? code : codeOf(driverError);
}

function adviceOf(error: unknown): { readonly database?: string } {
  const fault = sqliteFault(codeOf(error));
  return fault === undefined ? {} : { database: `The database file ${fault}` };
}
