import ipaddr from 'ipaddr.js';
import { type AddressNetwork, addressShare } from '../platform/index.js';

/**
 * An IP address from the library ipaddr.js. `unwrap` converts IPv4-mapped IPv6 addresses (`::ffff:a.b.c.d`) to IPv4.
 */
type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Range = AddressNetwork;

/** Maximum number of entries of an address list. */
export const MAX_ADDRESS_RANGES = 100;

const PREFIX_LENGTH = /^(?:0|[1-9]\d{0,2})$/;
/**
 * Matches IPv6 addresses of the form `::a.b.c.d`. They are refused, because the library ipaddr.js would read them as
 * `::ffff:a.b.c.d`.
 */
const IPV4_COMPATIBLE = /^::\d+\./;
/** Number of bits before the IPv4 address in an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`). */
const MAPPED_BITS = 96;

function readRaw(text: string): Address | undefined {
  // Short (`10.1`), octal and hexadecimal IPv4 addresses are refused, because parsers disagree about their value.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // An IPv6 address with a zone id (`%eth0`) is refused, because a zone id is valid on one machine only.
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
 * Returns an IP address in canonical form: IPv6 is compressed, and IPv4-mapped IPv6 becomes IPv4. Undefined if the text
 * is not an IP address.
 */
export function canonicalAddress(text: string): string | undefined {
  return readAddress(text)?.toString();
}

/** Whether a text is an IPv4 address, an IPv6 address or a CIDR range. Short forms such as `10.1` are refused. */
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

  /**
   * Returns the fraction of the address space that the ranges cover, from 0 to 1. Of the two fractions for
   * IPv4 and IPv6, returns the larger one.
   */
  get share(): number {
    return addressShare(this.ranges);
  }

  /** Whether every range of `other` lies within a single range of this list. */
  covers(other: AddressRanges): boolean {
    return other.ranges.every(({ base, bits }) =>
      this.ranges.some(
        (own) => own.base.kind() === base.kind() && own.bits <= bits && base.match(own.base, own.bits),
      ),
    );
  }

  /** Whether one of the ranges contains an IP address. False if the text is not an IP address. */
  contains(text: string): boolean {
    const address = readAddress(text);
    if (address === undefined) return false;
    return this.ranges.some(({ base, bits }) => base.kind() === address.kind() && address.match(base, bits));
  }
}
