import { normalizeIp } from '@nestjs/throttler';

/**
 * Prefix length by which IPv6 addresses are counted together, because one subscriber usually controls a whole /64
 * network.
 */
const IPV6_PREFIX_BITS = 64;

/**
 * Returns the network under which an address is counted: an IPv4 address itself, or the /64 network of an IPv6 address.
 */
export function networkOf(address: string): string {
  return normalizeIp(address, IPV6_PREFIX_BITS);
}
