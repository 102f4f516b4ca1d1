import type { IncomingMessage } from 'node:http';
import { type AddressRanges, canonicalAddress } from './ip-match.js';

/**
 * Reads `X-Forwarded-For` from right to left while a trusted proxy wrote the entry, because a
 * client can forge the rest.
 * @param peer remote address of the socket
 * @param forwarded value of the header; several headers joined by commas
 * @returns the canonical form; empty if the socket has closed
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
    // Entries to the left of an unreadable entry cannot be trusted.
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
