import { constants } from 'node:os';
import { type INestApplication, Logger } from '@nestjs/common';
import { HttpAdapter } from '../http/index.js';
import type { Settings } from '../settings/index.js';

/** From the signal to the end of the process, at most. */
const LIMIT_MS = 30_000;
/** After the runs have had their grace, requests that are still under way have this long. */
const REQUESTS_MS = 2_000;
/** The same Ctrl-C may arrive twice: from the terminal, and from npm, which hands it on. */
const REPEAT_MS = 500;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ends the process in order at the first SIGTERM or SIGINT, with code 0; at the second at once, with 128 and the
 * signal's number.
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

/** Ends the process, with code 1, at what nobody handled, once it is logged. */
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
  // A client that does not send the rest of its request, or does not read its answer, must not hold up the end.
  setTimeout(() => adapter.cut(), graceMs + REQUESTS_MS).unref();
  try {
    // In this order: no new connections and no claims; held requests are answered; runs end or are handed over; the
    // last requests are answered; the writer drains and the database is closed.
    await Promise.all([adapter.leave(), app.close()]);
    process.exit(0);
  } catch (error) {
    logger.fatal({ err: error, msg: 'The service could not end in order.' });
    process.exit(1);
  }
}
