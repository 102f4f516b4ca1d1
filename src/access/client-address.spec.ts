import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.js';
import { AddressRanges } from './ip-match.js';

const PROXIES = AddressRanges.of(['10.0.0.0/8', '::1']);
const NONE = AddressRanges.of([]);

describe('clientAddress', () => {
  it.each([
    ['no header', '10.0.0.1', undefined, '10.0.0.1'],
    ['one proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['two proxies', '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['an address the client wrote itself', '10.0.0.1', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
    ['a trusted address the client wrote itself', '10.0.0.1', '10.9.9.9, 203.0.113.9', '203.0.113.9'],
    ['an untrusted peer', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['proxies only', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a mapped peer', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a mapped client', '::1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['a hop that is no address', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    ['a hop with a zone', '10.0.0.1', 'fe80::1%eth0', '10.0.0.1'],
    ['an octal hop', '10.0.0.1', '0177.0.0.1', '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['IPv6', '::1', '2001:DB8::0:1', '2001:db8::1'],
    ['a peer that is gone', undefined, '203.0.113.9', ''],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, PROXIES)).toBe(expected);
  });

  it('does not read the header where no proxy is trusted', () => {
    expect(clientAddress('::ffff:127.0.0.1', '203.0.113.9', NONE)).toBe('127.0.0.1');
  });
});
