import { describe, expect, it } from 'vitest';
import { EgressDeniedError, EgressPolicy } from './egress-policy.js';

function isOpen(entries: readonly string[], hostname: string, port: number, address: string): boolean {
  try {
    new EgressPolicy(entries).check(hostname, port, address);
    return true;
  } catch (error) {
    if (error instanceof EgressDeniedError) return false;
    throw error;
  }
}

describe('an egress policy without entries', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.254',
    '127.0.0.1',
    '127.255.255.255',
    '168.63.129.16',
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::7f00:1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a00:1',
    '::ffff:169.254.169.254',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2002:808:808::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fec0::1',
    'ff02::1',
    'not an address',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '010.0.0.1',
    '',
  ])('an egress policy without entries denies %s', (address) => {
    expect(isOpen([], 'example.com', 443, address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '168.63.129.17',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
  ])('an egress policy without entries allows %s', (address) => {
    expect(isOpen([], 'example.com', 443, address)).toBe(true);
  });

  it('the error about a denied address contains no IP address', () => {
    const check = () => new EgressPolicy([]).check('db.internal', 5432, '10.1.2.3');
    expect(check).toThrow(/db\.internal .*private address.*"db\.internal:5432" to the setting EGRESS_ALLOW/);
    expect(check).not.toThrow(/10\.1/);
  });

  it('the error about a denied IPv6 address suggests a valid EGRESS_ALLOW entry', () => {
    expect(() => new EgressPolicy([]).check('::1', 80, '::1')).toThrow(
      /"\[::1\]:80" to the setting EGRESS_ALLOW/,
    );
    expect(() => new EgressPolicy(['[::1]:80']).check('::1', 80, '::1')).not.toThrow();
  });
});

describe('an egress policy with entries', () => {
  it.each<[string, string, number, string, boolean]>([
    ['db.internal', 'db.internal', 80, '10.0.0.1', true],
    ['DB.Internal', 'db.internal.', 80, '10.0.0.1', true],
    ['db.internal', 'db.internal.evil.com', 80, '10.0.0.1', false],
    ['db.internal', 'x.db.internal', 80, '10.0.0.1', false],
    ['db.internal:8080', 'db.internal', 8080, '10.0.0.1', true],
    ['db.internal:8080', 'db.internal', 80, '10.0.0.1', false],
    ['localhost', 'localhost', 80, '127.0.0.1', true],
    ['localhost', 'localhost', 80, '::1', true],
    ['localhost', '127.0.0.1', 80, '127.0.0.1', false],
    ['*.internal', 'a.internal', 80, '10.0.0.1', true],
    ['*.internal', 'a.b.internal', 80, '10.0.0.1', true],
    ['*.internal', 'internal', 80, '10.0.0.1', false],
    ['*.internal', 'evilinternal', 80, '10.0.0.1', false],
    ['*.internal:443', 'a.internal', 80, '10.0.0.1', false],
    ['10.0.0.1', 'anything', 80, '10.0.0.1', true],
    ['10.0.0.1', 'anything', 80, '::ffff:10.0.0.1', true],
    ['10.0.0.1', 'anything', 80, '10.0.0.2', false],
    ['10.0.0.1:80', 'anything', 81, '10.0.0.1', false],
    ['10.0.0.0/8', 'anything', 80, '10.9.8.7', true],
    ['10.0.0.0/8', 'anything', 80, '::ffff:a09:807', true],
    ['10.0.0.0/8', 'anything', 80, '11.0.0.1', true],
    ['10.0.0.0/8', 'anything', 80, '172.16.0.1', false],
    ['10.0.0.0/8:8080', 'anything', 8080, '10.1.1.1', true],
    ['10.0.0.0/8:8080', 'anything', 80, '10.1.1.1', false],
    ['::ffff:10.0.0.0/104', 'anything', 80, '10.1.1.1', true],
    ['::1', 'localhost', 80, '::1', true],
    ['::1', 'localhost', 80, '127.0.0.1', false],
    ['[::1]:8080', 'localhost', 8080, '::1', true],
    ['[::1]:8080', 'localhost', 80, '::1', false],
    ['fd00::/8', 'x', 80, 'fd12::1', true],
    ['fd00::/8', 'x', 80, 'fe80::1', false],
    ['[fd00::/8]:80', 'x', 81, 'fd12::1', false],
    ['0.0.0.0/0', 'x', 80, '127.0.0.1', true],
    ['0.0.0.0/0', 'x', 80, '::1', false],
  ])(
    'the EGRESS_ALLOW entry %s allows host %s, port %i at address %s: %s',
    (entry, hostname, port, address, expected) => {
      expect(isOpen([entry], hostname, port, address)).toBe(expected);
    },
  );

  it.each([
    '',
    'http://a',
    'a/b',
    'a:b',
    'a:0',
    'a:70000',
    '10.0.0',
    '300.1.1.1',
    '10.0.0.0/40',
    '*',
    'a.*.b',
    '-a',
    'a b',
    '[::1',
    '::1%eth0',
  ])('an egress policy rejects the entry "%s"', (entry) => {
    expect(() => new EgressPolicy(['localhost', entry])).toThrow(`EGRESS_ALLOW: "${entry}" is not`);
  });
});
