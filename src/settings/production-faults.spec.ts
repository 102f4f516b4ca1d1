import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from './settings.js';

function faults(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readSettings({ NODE_ENV: 'production', ...environment });
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
}

const base64 = (bytes: readonly number[] | Buffer | string): string => Buffer.from(bytes).toString('base64');
const HALF = randomBytes(16);
const sequence = (length: number, step: number): number[] =>
  Array.from({ length }, (_, at) => (at * step) & 255);

describe('settings in production', () => {
  it.each([
    ['equal bytes', base64(Buffer.alloc(32, 7))],
    ['two different bytes', base64(sequence(32, 128))],
    ['a repeated pattern', base64('a password!'.repeat(3))],
    ['a random half, repeated', base64(Buffer.concat([HALF, HALF]))],
    ['a sequence', base64(sequence(32, 1))],
    ['a descending sequence', base64(sequence(40, -3))],
    ['too few bytes', base64(randomBytes(31))],
    ['text that is not base64', 'correct horse battery staple, and a longer sentence'],
  ])('a SECRETS_KEY of %s is refused in production', (_, SECRETS_KEY) => {
    expect(faults({ SECRETS_KEY })).toEqual([
      expect.stringMatching(/^SECRETS_KEY .+ "openssl rand -base64 32"$/),
    ]);
    expect(readSettings({ SECRETS_KEY }).SECRETS_KEY).toBe(SECRETS_KEY);
  });

  it('random keys are accepted as SECRETS_KEY and METRICS_TOKEN in production', () => {
    for (let count = 0; count < 2_000; count += 1) {
      const METRICS_TOKEN = randomBytes(16).toString('hex');
      expect(faults({ SECRETS_KEY: base64(randomBytes(32)), METRICS_TOKEN })).toEqual([]);
      expect(faults({ SECRETS_KEY: randomBytes(32).toString('hex') })).toEqual([]);
    }
  });

  it.each(['a'.repeat(16), 'abc'.repeat(6), 'password'.repeat(2), '0123456789'.repeat(2)])(
    '%s is refused as METRICS_TOKEN in production',
    (METRICS_TOKEN) => {
      expect(faults({ METRICS_TOKEN })).toEqual([expect.stringMatching(/^METRICS_TOKEN .+guess/)]);
    },
  );

  it.each([
    'http://flows.example.com',
    'http://10.0.0.7:3000',
    'http://localhost.example.com',
    'http://0.0.0.0',
  ])('the plain HTTP URL %s is refused in production', (url) => {
    expect(faults({ BASE_URL: url, DASHBOARD_URL: url })).toEqual([
      expect.stringMatching(/^BASE_URL must begin with https:\/\//),
      expect.stringMatching(/^DASHBOARD_URL must begin with https:\/\//),
    ]);
    expect(readSettings({ BASE_URL: url }).BASE_URL).toBe(url);
  });

  it.each(['https://flows.example.com', 'http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:3000'])(
    '%s is accepted as BASE_URL in production',
    (BASE_URL) => {
      expect(faults({ BASE_URL })).toEqual([]);
    },
  );
});

it('one error reports all invalid and insecure settings', () => {
  const names = faults({
    PORT: 'many',
    LOG_LEVEL: 'loud',
    SECRETS_KEY: base64(Buffer.alloc(32)),
    BASE_URL: 'http://flows.example.com',
    ROLE: 'api',
  }).map((fault) => fault.split(' ')[0]);
  expect(names).toEqual(['PORT', 'LOG_LEVEL', 'ROLE', 'BASE_URL', 'SECRETS_KEY']);
  expect(faults({ ROLE: 'worker', DATABASE_URL: 'mysql://db' }).map((fault) => fault.split(' ')[0])).toEqual([
    'DATABASE_URL',
  ]);
});
