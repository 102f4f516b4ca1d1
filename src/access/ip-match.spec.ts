import { describe, expect, it } from 'vitest';
import { AddressRanges, canonicalAddress, isAddressRange } from './ip-match.js';

describe('AddressRanges', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.200.0.1', true],
    ['192.168.1.128/25', '192.168.1.127', false],
    ['192.168.1.128/25', '192.168.1.128', true],
    ['203.0.113.7/32', '203.0.113.7', true],
    ['203.0.113.7/32', '203.0.113.6', false],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    ['::/0', '8.8.8.8', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1', true],
    ['2001:db8::/127', '2001:db8::2', false],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['127.0.0.1', '::ffff:7f00:1', true],
    ['::ffff:127.0.0.1', '127.0.0.1', true],
    ['::ffff:10.0.0.0/104', '10.9.9.9', true],
    ['::ffff:10.0.0.0/104', '11.0.0.1', false],
    ['::ffff:0:0/96', '1.2.3.4', true],
    ['127.0.0.1', '::127.0.0.1', false],
    ['127.0.0.1', '::1', false],
    ['10.0.0.0/8', '64:ff9b::a00:1', false],
    ['10.0.0.0/8', '10.1', false],
    ['10.0.0.0/8', '012.0.0.1', false],
    ['10.0.0.0/8', '0x0a000001', false],
    ['10.0.0.0/8', '167772161', false],
    ['10.0.0.0/8', '', false],
    ['fe80::/10', 'fe80::1%eth0', false],
    ['fe80::/10', 'fe80::1', true],
  ])('the address range %s contains the address %s: %s', (range, address, expected) => {
    expect(AddressRanges.of([range]).contains(address)).toBe(expected);
  });

  it('an address list contains the addresses of each of its ranges', () => {
    const ranges = AddressRanges.of(['10.0.0.0/8', '2001:db8::/32', '203.0.113.7']);
    expect(['10.1.1.1', '2001:db8::9', '203.0.113.7'].every((address) => ranges.contains(address))).toBe(
      true,
    );
    expect(ranges.contains('203.0.113.8')).toBe(false);
  });

  it('an empty address list contains no address', () => {
    expect(AddressRanges.of([]).contains('127.0.0.1')).toBe(false);
  });

  it('an error about an address list names the invalid entry', () => {
    expect(() => AddressRanges.of(['10.0.0.1', '10.0.0.0/33'])).toThrow('"10.0.0.0/33"');
  });
});

describe('isAddressRange', () => {
  it.each([
    '10.1',
    '1',
    '256.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '0x7f.0.0.1',
    '127.0.0.1:80',
    '[::1]',
    ':::',
    '1::2::3',
    'fe80::1%lo',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0 /8',
    ' 10.0.0.1',
    '10.0.0.1\n',
    '::/129',
    '::ffff:1.2.3.4/95',
    '::ffff:1.2.3.4/129',
    'localhost',
    '*',
    '',
    '/8',
    '١٠.0.0.1',
  ])('the text %j is refused as an address range', (text) => {
    expect(isAddressRange(text)).toBe(false);
  });

  it.each([
    '0.0.0.0',
    '255.255.255.255/32',
    '::',
    '::1/128',
    '2001:DB8::/32',
    '::ffff:1.2.3.4/128',
    '1.2.3.4/0',
  ])('the text %j is accepted as an address range', (text) => {
    expect(isAddressRange(text)).toBe(true);
  });
});

describe('canonicalAddress', () => {
  it.each([
    ['::FFFF:10.0.0.1', '10.0.0.1'],
    ['2001:0db8:0000::0001', '2001:db8::1'],
    ['10.0.0.1', '10.0.0.1'],
    ['10.1', undefined],
  ])('the canonical form of address %s is %s', (text, expected) => {
    expect(canonicalAddress(text)).toBe(expected);
  });
});
