import { describe, expect, it } from 'vitest';
import { SettingsError } from '../settings/index.js';
import { checkedSettings } from './checked-settings.js';

function faults(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    checkedSettings(environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
}

it('one error reports the invalid settings of all modules', () => {
  expect(
    faults({
      NODE_ENV: 'production',
      PORT: 'many',
      BASE_URL: 'http://flows.example.com',
      TRUSTED_PROXIES: '10.0.0.0/8,proxy,1.2.3',
      EGRESS_ALLOW: 'a b',
      DEFAULT_PLAN: 'golden',
    }),
  ).toEqual([
    expect.stringMatching(/^PORT /),
    expect.stringMatching(/^BASE_URL /),
    expect.stringContaining('TRUSTED_PROXIES: "proxy"'),
    expect.stringContaining('TRUSTED_PROXIES: "1.2.3"'),
    expect.stringContaining('EGRESS_ALLOW: "a b"'),
    expect.stringMatching(/^DEFAULT_PLAN /),
  ]);
});

it('`checkedSettings` returns valid settings', () => {
  expect(
    checkedSettings({ TRUSTED_PROXIES: '10.0.0.0/8', EGRESS_ALLOW: '127.0.0.1:80', PORT: '1' }).PORT,
  ).toBe(1);
});

describe.each(['TRUSTED_PROXIES', 'EGRESS_ALLOW'])('the list %s in production', (name) => {
  const inProduction = (value: string): readonly string[] =>
    faults({ NODE_ENV: 'production', [name]: value });

  it.each([
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1',
    '128.0.0.0/1',
    '8000::/1',
    '0.0.0.0/2,64.0.0.0/2',
    '0.0.0.0/2,192.0.0.0/3,224.0.0.0/3',
    '2000::/3',
    '2000::/4',
    '::ffff:0:0/96',
    '10.0.0.0/8,0.0.0.0/0',
  ])('address ranges that cover at least half of all addresses are refused in production: %s', (value) => {
    expect(inProduction(value)).toEqual([expect.stringMatching(`^${name} covers half of all addresses`)]);
    expect(faults({ [name]: value })).toEqual([]);
  });

  it.each([
    '',
    '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7',
    '0.0.0.0/2,0.0.0.0/2,10.0.0.0/8',
    '0.0.0.0/2,128.0.0.0/3',
    '2001:db8::/32',
  ])('a setting in production accepts ranges that cover less than half of all IP addresses: %s', (value) => {
    expect(inProduction(value)).toEqual([]);
  });
});

it('EGRESS_ALLOW is refused in production if one port is open to all addresses', () => {
  expect(faults({ NODE_ENV: 'production', EGRESS_ALLOW: '0.0.0.0/0:443' })).toHaveLength(1);
  expect(faults({ NODE_ENV: 'production', EGRESS_ALLOW: '*.example.com,db:5432' })).toEqual([]);
});
