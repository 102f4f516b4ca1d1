import { expect, it } from 'vitest';
import {
  mustBeWritable,
  postgresUrlFault,
  serverHosts,
  serverUrls,
  withoutPassword,
} from './postgres-url.js';
import { inspectSettings, readSettings } from './settings.js';

it.each([
  ['postgres://db/flows', ['postgres://db/flows']],
  [
    'postgres://me:pw@a:5432,b:5433/db?sslmode=require',
    ['a:5432', 'b:5433'].map((host) => `postgres://me:pw@${host}/db?sslmode=require`),
  ],
  ['postgresql://a,b', ['postgresql://a', 'postgresql://b']],
  ['postgres://[::1]:5432,[::2]/db', ['postgres://[::1]:5432/db', 'postgres://[::2]/db']],
  ['postgres://me:a,b@one,two/db', ['postgres://me:a,b@one/db', 'postgres://me:a,b@two/db']],
  ['postgres://%2Ftmp/db?host=a', ['postgres://%2Ftmp/db?host=a']],
])('the PostgreSQL URL %s is split into one URL for each server: %j', (url, servers) => {
  expect(serverUrls(url)).toEqual(servers);
  expect(postgresUrlFault(url)).toBeUndefined();
});

it('the hosts of a PostgreSQL URL are listed with their ports', () => {
  expect(serverHosts('postgres://me:pw@a:5432,b/db')).toEqual(['a:5432', 'b']);
});

it.each([
  ['postgres://a/db', false],
  ['postgres://a,b/db', true],
  ['postgres://a/db?target_session_attrs=read-write', true],
  ['postgres://a/db?target_session_attrs=any', false],
])('`mustBeWritable` of the PostgreSQL URL %s returns %s', (url, isNeeded) => {
  expect(mustBeWritable(url)).toBe(isNeeded);
});

it.each([
  ['postgres://a:x,b/db', /comma between several hosts/],
  ['postgres://a,,b/db', /empty host/],
  [
    'postgres://a/db?target_session_attrs=standby',
    /target_session_attrs=standby, but the service must write/,
  ],
  ['postgres://a,b/db?target_session_attrs=any', /use read-write, or omit this parameter/],
])('the PostgreSQL URL %s is refused', (url, message) => {
  expect(postgresUrlFault(url)).toMatch(message);
  expect(inspectSettings({ DATABASE_URL: url }).faults).toEqual([expect.stringMatching(message)]);
  expect(inspectSettings({ DATABASE_URL: 'postgres://a/db', DATABASE_DIRECT_URL: url }).faults).toEqual([
    expect.stringMatching(message),
  ]);
});

it('DATABASE_DIRECT_URL is refused if DATABASE_URL configures no PostgreSQL database', () => {
  const direct = { DATABASE_DIRECT_URL: 'postgres://a/db' };
  expect(inspectSettings(direct).faults).toEqual([expect.stringMatching(/^DATABASE_DIRECT_URL needs/)]);
  expect(readSettings({ ...direct, DATABASE_URL: 'postgres://pooler/db' }).database).toMatchObject({
    url: 'postgres://pooler/db',
    directUrl: 'postgres://a/db',
  });
});

it.each([
  ['postgres://me:secret@a,b/db', 'postgres://me:***@a,b/db'],
  ['postgres://me:s@cr:t@a:1,b:2/db', 'postgres://me:***@a:1,b:2/db'],
  ['postgres://me@a/db?user=x&password=secret&ssl=true', 'postgres://me@a/db?user=x&password=***&ssl=true'],
  ['redis://:secret@a', 'redis://:***@a'],
  ['HTTPS://me:secret@a', 'HTTPS://me:***@a'],
  ['postgres://me@a/db', 'postgres://me@a/db'],
])('`withoutPassword` converts the URL %s to %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});
