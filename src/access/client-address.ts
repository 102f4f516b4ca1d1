import type { IncomingMessage } from 'node:http';
import { type AddressRanges, canonicalAddress } from './ip-match.js';

/**
 * The address a request comes from. `X-Forwarded-For` is read from right to left and only as far as each
 * writer is a trusted proxy, so a client cannot choose its own address.
 * @param peer the socket's other end
 * @param forwarded the header's value; several headers joined by commas
 * @returns the canonical spelling; the empty text where the peer is unknown (a socket that is gone)
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
    // What a trusted proxy wrote cannot be read: nothing to the left of it can be believed either.
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
