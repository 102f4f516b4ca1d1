import { normalizeIp } from '@nestjs/throttler';

/** One subscriber's share of IPv6: who has one address of it has all of them. */
const IPV6_PREFIX_BITS = 64;

/** The network that an address is counted under: itself, or its /64 of IPv6. */
export function networkOf(address: string): string {
  return normalizeIp(address, IPV6_PREFIX_BITS);
}
