import ipaddr from 'ipaddr.js';
import { type AddressNetwork, addressShare } from '../platform/index.js';

/** IPv4-mapped IPv6 addresses (`::ffff:a.b.c.d`) become IPv4 addresses. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Range = AddressNetwork;

/** Maximum number of entries of an address list. */
export const MAX_ADDRESS_RANGES = 100;

const PREFIX_LENGTH = /^(?:0|[1-9]\d{0,2})$/;
/** Matches `::a.b.c.d`, which is refused because ipaddr.js would read it as `::ffff:a.b.c.d`. */
const IPV4_COMPATIBLE = /^::\d+\./;
/** Prefix length before the IPv4 part of `::ffff:a.b.c.d`. */
const MAPPED_BITS = 96;

function readRaw(text: string): Address | undefined {
  // Short (`10.1`), octal and hexadecimal forms are refused, because parsers disagree about their
  // value.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // A zone id (`%eth0`) is refused, because the address is valid on one machine only.
  if (!text.includes(':') || text.includes('%') || IPV4_COMPATIBLE.test(text)) return undefined;
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function unwrap(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function readAddress(text: string): Address | undefined {
  const address = readRaw(text);
  return address === undefined ? undefined : unwrap(address);
}

function readRange(text: string): Range | undefined {
  const [addressText = '', bitsText, ...rest] = text.split('/');
  const raw = readRaw(addressText);
  if (raw === undefined || rest.length > 0) return undefined;
  const base = unwrap(raw);
  const width = base.toByteArray().length * 8;
  if (bitsText === undefined) return { base, bits: width };
  if (!PREFIX_LENGTH.test(bitsText)) return undefined;
  const written = Number(bitsText);
  const bits = raw === base ? written : written - MAPPED_BITS;
  return bits >= 0 && bits <= width ? { base, bits } : undefined;
}

/**
 * Compresses IPv6 and turns IPv4-mapped IPv6 into IPv4. Undefined if the string is not an address.
 */
export function canonicalAddress(text: string): string | undefined {
  return readAddress(text)?.toString();
}

/** Accepts IPv4, IPv6 and CIDR ranges, but no short forms such as `10.1`. */
export function isAddressRange(text: string): boolean {
  return readRange(text) !== undefined;
}

export class AddressRanges {
  private constructor(private readonly ranges: readonly Range[]) {}

  /**
   * @throws RangeError that names the first invalid entry.
   */
  static of(texts: readonly string[]): AddressRanges {
    return new AddressRanges(
      texts.map((text) => {
        const range = readRange(text);
        if (range === undefined) throw new RangeError(`"${text}" is neither an IP address nor a CIDR range`);
        return range;
      }),
    );
  }

  get isEmpty(): boolean {
    return this.ranges.length === 0;
  }

  /** The fraction of the address space that the ranges cover together, from 0 to 1. */
  get share(): number {
    return addressShare(this.ranges);
  }

  /** Whether each entry of `other` lies within a single range of this list. */
  covers(other: AddressRanges): boolean {
    return other.ranges.every(({ base, bits }) =>
      this.ranges.some(
        (own) => own.base.kind() === base.kind() && own.bits <= bits && base.match(own.base, own.bits),
      ),
    );
  }

  /** False if the string is not an address. */
  contains(text: string): boolean {
    const address = readAddress(text);
    if (address === undefined) return false;
    return this.ranges.some(({ base, bits }) => base.kind() === address.kind() && address.match(base, bits));
  }
}
