import type { LogFn, Logger } from 'pino';
import { sqliteFault, isDatabaseUnavailable } from '../database/index.js';

/** Error code of the readiness probe during a database outage. */
const NOT_READY = 'not_ready';

/** Minimum milliseconds between two log lines about a database outage. */
const EVERY_MS = 60_000;

type LogMethod = (this: Logger, parameters: Parameters<LogFn>, log: LogFn, level: number) => void;

/**
 * Pino hook that limits lines about database outages to one per minute. More lines could fill a disk, because every
 * request fails during an outage.
 *
 * @param log writes the line
 */
export function limitOutages(log: LogMethod, now: () => number = () => performance.now()): LogMethod {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  const isOutage = (error: unknown): boolean => isDatabaseUnavailable(error) || codeOf(error) === NOT_READY;
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
