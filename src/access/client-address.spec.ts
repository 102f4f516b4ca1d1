import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.js';
import { AddressRanges } from './ip-match.js';

const PROXIES = AddressRanges.of(['10.0.0.0/8', '::1']);
const NONE = AddressRanges.of([]);

describe('clientAddress', () => {
  it.each([
    ["is the peer's address without X-Forwarded-For", '10.0.0.1', undefined, '10.0.0.1'],
    [
      'is the last entry of X-Forwarded-For behind one trusted proxy',
      '10.0.0.1',
      '203.0.113.9',
      '203.0.113.9',
    ],
    [
      'is the entry before the second of two trusted proxies',
      '10.0.0.1',
      '203.0.113.9, 10.0.0.2',
      '203.0.113.9',
    ],
    [
      'ignores an address that the client wrote into X-Forwarded-For',
      '10.0.0.1',
      '127.0.0.1, 203.0.113.9',
      '203.0.113.9',
    ],
    [
      'ignores the address of a proxy that the client wrote into X-Forwarded-For',
      '10.0.0.1',
      '10.9.9.9, 203.0.113.9',
      '203.0.113.9',
    ],
    ['ignores X-Forwarded-For of an untrusted peer', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    [
      'is the first entry of X-Forwarded-For if all entries are proxies',
      '10.0.0.1',
      '10.0.0.3, 10.0.0.2',
      '10.0.0.3',
    ],
    [
      'recognizes a trusted proxy by its IPv4-mapped address',
      '::ffff:10.0.0.1',
      '203.0.113.9',
      '203.0.113.9',
    ],
    ['is in IPv4 form for an IPv4-mapped entry', '::1', '::ffff:203.0.113.9', '203.0.113.9'],
    [
      "is the proxy's address if the entry of the client is not an address",
      '10.0.0.1',
      '203.0.113.9, unknown',
      '10.0.0.1',
    ],
    [
      "is the proxy's address if the entry of the client has an IPv6 zone",
      '10.0.0.1',
      'fe80::1%eth0',
      '10.0.0.1',
    ],
    [
      "is the proxy's address if the entry of the client is in octal notation",
      '10.0.0.1',
      '0177.0.0.1',
      '10.0.0.1',
    ],
    ["is the peer's address if X-Forwarded-For is empty", '10.0.0.1', '', '10.0.0.1'],
    ['is in canonical form for an IPv6 address', '::1', '2001:DB8::0:1', '2001:db8::1'],
    ['is empty if the peer has disconnected', undefined, '203.0.113.9', ''],
  ])(
    '`clientAddress` determines the address of the client behind proxies: the address %s',
    (_, peer, forwarded, expected) => {
      expect(clientAddress(peer, forwarded, PROXIES)).toBe(expected);
    },
  );

  it('the client address ignores X-Forwarded-For if no proxy is trusted', () => {
    expect(clientAddress('::ffff:127.0.0.1', '203.0.113.9', NONE)).toBe('127.0.0.1');
  });
});
