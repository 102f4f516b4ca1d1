import { constants } from 'node:os';
import { type INestApplication, Logger } from '@nestjs/common';
import { HttpAdapter } from '../http/index.js';
import type { Settings } from '../settings/index.js';

/** Maximum time from the signal to the end of the process, in milliseconds. */
const LIMIT_MS = 30_000;
/** Time that requests in progress get after the grace period of the runs, in milliseconds. */
const REQUESTS_MS = 2_000;
/** Repeated signals within this time count once: the terminal and npm may both send the same Ctrl-C. */
const REPEAT_MS = 500;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Shuts down gracefully at the first SIGTERM or SIGINT, with exit code 0. A second signal ends the process immediately,
 * with 128 plus the signal number.
 */
export function endOnSignals(
  app: INestApplication,
  { SHUTDOWN_GRACE_SECONDS }: Pick<Settings, 'SHUTDOWN_GRACE_SECONDS'>,
): void {
  const logger = new Logger('Shutdown');
  let firstAt: number | undefined;
  const onSignal = (signal: (typeof SIGNALS)[number]): void => {
    const now = performance.now();
    if (firstAt !== undefined) {
      if (now - firstAt > REPEAT_MS) process.exit(128 + constants.signals[signal]);
      return;
    }
    firstAt = now;
    logger.log(`${signal}: what runs may finish; it ends within ${LIMIT_MS / 1000} seconds.`);
    void end(app, SHUTDOWN_GRACE_SECONDS * 1000, logger);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

/** Logs uncaught exceptions and unhandled rejections and exits with code 1. */
export function endOnFaults(): void {
  const logger = new Logger('Process');
  const onFault = (kind: string) => (error: unknown) => {
    logger.fatal({ err: error, msg: `${kind}; the process ends.` });
    process.exit(1);
  };
  process.on('uncaughtException', onFault('An error was caught by nobody'));
  process.on('unhandledRejection', onFault('A rejection was handled by nobody'));
}

async function end(app: INestApplication, graceMs: number, logger: Logger): Promise<void> {
  setTimeout(() => {
    logger.error('The service did not end in time; what it held is taken up again at the next start.');
    process.exit(1);
  }, LIMIT_MS).unref();
  const adapter: unknown = app.getHttpAdapter();
  if (!(adapter instanceof HttpAdapter)) throw new TypeError('The application has another HTTP adapter.');
  // A client that does not finish its request or read its response must not delay the shutdown.
  setTimeout(() => adapter.cut(), graceMs + REQUESTS_MS).unref();
  try {
    // Shutdown order: stop accepting connections and claims; respond to long polls; let runs end or hand them over;
    // finish the last requests; drain the writer and close the database.
    await Promise.all([adapter.leave(), app.close()]);
    process.exit(0);
  } catch (error) {
    logger.fatal({ err: error, msg: 'The service could not end in order.' });
    process.exit(1);
  }
}
