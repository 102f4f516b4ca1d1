import ipaddr from 'ipaddr.js';
import { type AddressNetwork, addressShare } from '../platform/index.js';

/** An address that was read strictly; IPv4 inside IPv6 (`::ffff:a.b.c.d`) is its IPv4. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Range = AddressNetwork;

/** What a list of allowed addresses may hold at most. */
export const MAX_ADDRESS_RANGES = 100;

const PREFIX_LENGTH = /^(?:0|[1-9]\d{0,2})$/;
/** `::a.b.c.d` was withdrawn; ipaddr.js would take it for `::ffff:a.b.c.d`. */
const IPV4_COMPATIBLE = /^::\d+\./;
/** Bits before the IPv4 part of `::ffff:a.b.c.d`. */
const MAPPED_BITS = 96;

function readRaw(text: string): Address | undefined {
  // Short (`10.1`), octal (`010.0.0.1`) and hexadecimal forms mean different things to different readers.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // A zone id (`%eth0`) names an interface of one machine.
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

/** The one spelling of an address (IPv6 compressed, mapped IPv4 as IPv4); undefined where the text is none. */
export function canonicalAddress(text: string): string | undefined {
  return readAddress(text)?.toString();
}

/** Whether a text is an IPv4 or IPv6 address or a CIDR range of them, in full and unambiguous form. */
export function isAddressRange(text: string): boolean {
  return readRange(text) !== undefined;
}

/** A list of addresses and CIDR ranges, read once and asked often. */
export class AddressRanges {
  private constructor(private readonly ranges: readonly Range[]) {}

  /** @throws RangeError naming the first entry that is neither an address nor a CIDR range. */
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

  /** Which part of an address space the ranges cover together, from 0 to 1. */
  get share(): number {
    return addressShare(this.ranges);
  }

  /** Whether every address of another list is in this one; ranges that only together hold one are not seen. */
  covers(other: AddressRanges): boolean {
    return other.ranges.every(({ base, bits }) =>
      this.ranges.some(
        (own) => own.base.kind() === base.kind() && own.bits <= bits && base.match(own.base, own.bits),
      ),
    );
  }

  /** Whether an address is in the list; a text that is no address never is. */
  contains(text: string): boolean {
    const address = readAddress(text);
    if (address === undefined) return false;
    return this.ranges.some(({ base, bits }) => base.kind() === address.kind() && address.match(base, bits));
  }
}
