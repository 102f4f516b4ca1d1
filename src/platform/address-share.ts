import ipaddr from 'ipaddr.js';

export interface AddressNetwork {
  readonly base: ipaddr.IPv4 | ipaddr.IPv6;
  readonly bits: number;
}

const SPACES: readonly AddressNetwork[] = ['0.0.0.0/0', '::/0', '2000::/3'].map(networkOf);

/**
 * Returns the fraction of an address space that the networks cover, from 0 to 1. The largest fraction of the address
 * spaces IPv4, IPv6 and global unicast IPv6 (`2000::/3`) counts.
 */
export function addressShare(networks: readonly AddressNetwork[]): number {
  return Math.max(...SPACES.map((space) => shareOf(space, networks)));
}

function shareOf(space: AddressNetwork, networks: readonly AddressNetwork[]): number {
  if (networks.some((network) => isWithin(space, network))) return 1;
  const within = networks.filter((network) => isWithin(network, space));
  // Two networks overlap only if one contains the other, so the sizes of the outermost networks can be added.
  const outermost = within.filter(
    (network, at) =>
      !within.some(
        (other, index) =>
          index !== at && isWithin(network, other) && (other.bits < network.bits || index < at),
      ),
  );
  return outermost.reduce((sum, { bits }) => sum + 2 ** (space.bits - bits), 0);
}

function isWithin(inner: AddressNetwork, outer: AddressNetwork): boolean {
  return (
    inner.base.kind() === outer.base.kind() &&
    outer.bits <= inner.bits &&
    inner.base.match(outer.base, outer.bits)
  );
}

function networkOf(cidr: string): AddressNetwork {
  const [base, bits] = ipaddr.parseCIDR(cidr);
  return { base, bits };
}
