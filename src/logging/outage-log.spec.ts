import { type Logger, pino } from 'pino';
import { expect, it } from 'vitest';
import { limitOutages } from './outage-log.js';
import { demoteStartChatter } from './start-chatter.js';

const MINUTE_MS = 60_000;

function failed(code: string): Error {
  return Object.assign(new Error('failed'), { code });
}

function limited(): { readonly lines: string[]; readonly logger: Logger; at: (ms: number) => void } {
  const lines: string[] = [];
  let now = 0;
  const logger = pino(
    { base: null, timestamp: false, hooks: { logMethod: limitOutages(demoteStartChatter, () => now) } },
    { write: (line: string) => void lines.push(line) },
  );
  return { lines, logger, at: (ms) => (now = ms) };
}

it('the logger writes one line per minute during a database outage', () => {
  const { lines, logger, at } = limited();
  for (let n = 0; n < 100; n += 1) logger.error({ err: failed('SQLITE_FULL') }, `Request ${n} failed.`);
  logger.warn({ err: failed('not_ready') });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('the disk is full. Free some space');
  at(MINUTE_MS);
  logger.warn({ err: new Error('wrapped', { cause: failed('ECONNREFUSED') }) }, 'Still.');
  logger.warn({ err: failed('57P01') });
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ msg: 'Still.', similar_lines_left_out: 100 });
});

it('the logger does not omit lines about errors that are not a database outage', () => {
  const { lines, logger } = limited();
  for (let n = 0; n < 3; n += 1) {
    logger.error({ err: failed('SQLITE_CONSTRAINT_UNIQUE') });
    logger.info({ err: failed('SQLITE_FULL') }, 'of no concern');
    logger.error('text');
  }
  expect(lines).toHaveLength(9);
});
