import type { IncomingMessage } from 'node:http';
import { type AddressRanges, canonicalAddress } from './ip-match.js';

/**
 * The address of the client. Reads `X-Forwarded-For` from right to left, and continues only while a trusted proxy wrote
 * the entry. A client therefore cannot forge its address.
 * @param peer remote address of the socket
 * @param forwarded value of the header; several headers joined by commas
 * @returns the canonical form; empty if the peer is unknown because the socket has closed
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
    // A trusted proxy wrote an unreadable entry, so nothing to the left of it can be trusted.
    if (hop === undefined) return address;
    address = hop;
  }
  return address;
}

/** The client address of a request, or of the request that opened a socket. */
export function requestAddress({ socket, headers }: IncomingMessage, trusted: AddressRanges): string {
  const forwarded = headers['x-forwarded-for'];
  return clientAddress(
    socket.remoteAddress,
    typeof forwarded === 'string' ? forwarded : forwarded?.join(','),
    trusted,
  );
}
