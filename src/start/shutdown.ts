import { constants } from 'node:os';
import { type INestApplication, Logger } from '@nestjs/common';
import { HttpAdapter } from '../http/index.js';
import type { Settings } from '../settings/index.js';

/** Maximum milliseconds from the shutdown signal to the end of the process. */
const LIMIT_MS = 30_000;
/** Milliseconds that HTTP requests in progress still get after the grace period of executions has ended. */
const REQUESTS_MS = 2_000;
/**
 * Milliseconds within which repeated signals count as one signal. One Ctrl-C may reach the process twice: from the
 * terminal and from npm.
 */
const REPEAT_MS = 500;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Shuts down gracefully at the first SIGTERM or SIGINT, with exit code 0. A second signal ends the process
 * immediately.
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
    logger.log(
      `${signal}: shutting down. Running nodes may finish; the process exits within ${LIMIT_MS / 1000} seconds.`,
    );
    void end(app, SHUTDOWN_GRACE_SECONDS * 1000, logger);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

export function endOnFaults(): void {
  const logger = new Logger('Process');
  const onFault = (kind: string) => (error: unknown) => {
    logger.fatal({ err: error, msg: `${kind}; the process exits.` });
    process.exit(1);
  };
  process.on('uncaughtException', onFault('Uncaught error'));
  process.on('unhandledRejection', onFault('Unhandled promise rejection'));
}

async function end(app: INestApplication, graceMs: number, logger: Logger): Promise<void> {
  setTimeout(() => {
    logger.error('The service did not shut down in time. The next start continues its executions.');
    process.exit(1);
  }, LIMIT_MS).unref();
  const adapter: unknown = app.getHttpAdapter();
  if (!(adapter instanceof HttpAdapter))
    throw new TypeError('The application must use the Express adapter of Nest.');
  // Connections that are still open after the time limit are closed, so that a slow client does not delay the shutdown.
  setTimeout(() => adapter.cut(), graceMs + REQUESTS_MS).unref();
  try {
    // Close in phases: first HTTP connections and claims of executions, last the writer and the database.
    await Promise.all([adapter.leave(), app.close()]);
    process.exit(0);
  } catch (error) {
    logger.fatal({ err: error, msg: 'The service could not shut down cleanly.' });
    process.exit(1);
  }
}
