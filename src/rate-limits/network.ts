import { normalizeIp } from '@nestjs/throttler';

/** Prefix length of an IPv6 subscriber, who usually controls the whole /64. */
const IPV6_PREFIX_BITS = 64;

/** The network by which an address is counted: an IPv4 address itself, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  return normalizeIp(address, IPV6_PREFIX_BITS);
}
