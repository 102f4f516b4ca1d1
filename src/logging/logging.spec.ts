import { Logger as NestLogger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Logger, pino } from 'pino';
import { expect, it } from 'vitest';
import { LoggingModule, logOptions, ServiceLogger } from './logging.module.js';
import { terminalLine } from './terminal-line.js';

const KEY = 'wfk_abcdefghijklmnopqrstuvwxyz0123ABCDEF';
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

const COLOR = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

function logged(write: (logger: Logger) => void): readonly string[] {
  const lines: string[] = [];
  write(pino(logOptions('info'), { write: (line: string) => void lines.push(line) }));
  return lines;
}

it('the logger redacts fields whose names indicate secrets, at any depth', () => {
  const [line = ''] = logged((logger) =>
    logger.info({
      headers: { authorization: 'Basic abc', Cookie: 'sid=1' },
      list: [{ password: 'p1', api_key: 'k1', nested: { jwt: 'j1', client_secret: 's1', 'x-token': 't1' } }],
      key: 'k2',
    }),
  );
  for (const secret of ['abc', 'sid=1', 'p1', 'k1', 'j1', 's1', 't1', 'k2'])
    expect(line).not.toContain(secret);
});

it('the logger redacts values that look like secrets anywhere in a line', () => {
  const lines = logged((logger) => {
    logger.info(`used ${KEY}`);
    logger.info({ note: [`a ${JWT} b`] });
    logger.error({ err: new Error(`bad key ${KEY}`) });
    logger.info({ [KEY]: 1 });
    logger.info('sent Bearer abcdefgh12345678');
    logger.warn({ path: '/hooks/whk_abcdefgh_-ijklmnopqrstuvwxyz012345' });
    logger.warn({ path: '/v1/events?token=wfv_abcdefghIl0.c2ln-abcdefgh' });
    logger.warn('signed with whsec_abcdefgh/RGKYq+rTwjUPD8ILPZIo2LaLaSw==');
  });
  expect(lines).toHaveLength(8);
  for (const line of lines) {
    expect(line).toContain('[redacted]');
    expect(line).not.toMatch(/abcdefgh|eyJ/);
    expect(() => JSON.parse(line) as unknown).not.toThrow();
  }
});

it('the logger does not redact ids and counts whose names resemble names of secrets', () => {
  const [line = ''] = logged((logger) =>
    logger.info({ key_id: 'k-1', token_count: 3, request_id: 'r-1', monkey: 'm' }),
  );
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    key_id: 'k-1',
    token_count: 3,
    request_id: 'r-1',
    monkey: 'm',
  });
});

it('the logger omits the query and the parameters that database drivers add to errors', () => {
  const cause = Object.assign(new Error('UNIQUE failed'), {
    code: 'SQLITE_CONSTRAINT',
    query: 'INSERT INTO x',
    parameters: ['hash'],
  });
  const [line = ''] = logged((logger) => logger.error({ err: new Error('write failed', { cause }) }));
  const { err } = JSON.parse(line) as { err: { cause: object; stack: string } };
  expect(err).toMatchObject({
    type: 'Error',
    message: 'write failed',
    cause: { message: 'UNIQUE failed', code: 'SQLITE_CONSTRAINT' },
  });
  expect(Object.keys(err.cause).toSorted()).toEqual(['code', 'message', 'stack', 'type']);
});

it('`terminalLine` escapes control characters of the values, because a terminal would execute them', () => {
  const entry = {
    time: '2026-11-30T10:00:00.000Z',
    level: 'warn',
    msg: 'a\u001b[2Jb',
    path: 'c\u009b1md\te',
  };
  const err = { type: 'Error', message: 'f\u0007', stack: 'Error: f\u0007\r\n    at g' };
  expect(terminalLine(JSON.stringify({ ...entry, err })).replaceAll(COLOR, '')).toBe(
    '10:00:00 warn  a\\x1b[2Jb path=c\\x9b1md\te\nError: f\\x07\\x0d\n    at g\n',
  );
});

it('`terminalLine` writes a log entry as one line of text, followed by the error and the causes of the error', () => {
  const [info = '', failure = ''] = logged((logger) => {
    logger.info({ context: 'Dispatcher', waiting: 3 }, 'Recovered.');
    logger.error({ err: new Error('outer', { cause: new TypeError('inner') }) });
  });
  const plain = (json: string): string => terminalLine(json).replaceAll(COLOR, '');
  expect(plain(info)).toMatch(/^\d\d:\d\d:\d\d info {2}Dispatcher: Recovered\. waiting=3\n$/);
  expect(plain(failure)).toMatch(/Error: outer\n[\s\S]*caused by TypeError: inner/);
});

it('the logger writes startup messages of the framework only at log level debug', () => {
  const chat = (logger: Logger): void => {
    logger.info({ context: 'RouterExplorer' }, 'Mapped {/x, GET}');
    logger.warn({ context: 'RouterExplorer' }, 'Two routes are the same.');
  };
  expect(logged(chat).map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'Two routes are the same.',
  ]);
  const lines: string[] = [];
  chat(pino(logOptions('debug'), { write: (line: string) => void lines.push(line) }));
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['debug', 'warn']);
});

it("the service's logger writes messages of the framework's loggers", async () => {
  const lines: string[] = [];
  @Module({
    imports: [
      LoggingModule.forRoot({ LOG_LEVEL: 'info' }, { write: (line: string) => void lines.push(line) }),
    ],
  })
  class LoggedModule {}
  const app = await NestFactory.createApplicationContext(LoggedModule, { bufferLogs: true });
  app.useLogger(app.get(ServiceLogger));
  const failure = Object.assign(new Error('write failed'), { parameters: ['hash'] });
  new NestLogger('Http').error({ err: failure, request_id: 'r-1', msg: 'A request failed.' });
  await app.close();
  NestLogger.overrideLogger(false);
  const entry = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .find(({ context }) => context === 'Http');
  expect(entry).toMatchObject({
    level: 'error',
    request_id: 'r-1',
    msg: 'A request failed.',
    err: { type: 'Error', message: 'write failed' },
  });
  expect(Object.keys(entry?.['err'] as object).toSorted()).toEqual(['message', 'stack', 'type']);
});
