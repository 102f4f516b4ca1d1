import { normalizeIp } from '@nestjs/throttler';

/** Prefix length of one IPv6 subscriber: the owner of one address owns the whole network. */
const IPV6_PREFIX_BITS = 64;

/** The network that an address is counted under: itself, or its /64 of IPv6. */
export function networkOf(address: string): string {
  return normalizeIp(address, IPV6_PREFIX_BITS);
}
