import type { IncomingMessage } from 'node:http';
import { type AddressRanges, canonicalAddress } from './ip-match.js';

/**
 * Returns the IP address of a client. `X-Forwarded-For` is read from right to left, as long as a trusted proxy wrote
 * the entry. A client can forge all further entries.
 * @param peer remote address of the socket
 * @param forwarded value of `X-Forwarded-For`; several headers are joined by commas
 * @returns the address in canonical form; empty if the socket has closed
 */
export function clientAddress(
  peer: string | undefined,
  forwarded: string | undefined,
  trusted: AddressRanges,
): string {
  let address = canonicalAddress(peer ?? '') ?? '';
  if (forwarded === undefined || trusted.isEmpty) return address;
  const hops = forwarded.split(',');
  while (hops.length > 0 && trusted.contains(address)) {
    const hop = canonicalAddress((hops.pop() ?? '').trim());
    // If an entry of `X-Forwarded-For` is not an IP address, the entries to its left cannot be trusted.
    if (hop === undefined) return address;
    address = hop;
  }
  return address;
}

export function requestAddress({ socket, headers }: IncomingMessage, trusted: AddressRanges): string {
  const forwarded = headers['x-forwarded-for'];
  return clientAddress(
    socket.remoteAddress,
    typeof forwarded === 'string' ? forwarded : forwarded?.join(','),
    trusted,
  );
}
