import { isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface ConnectionLimitOptions {
  /** Connections of one address, or of one IPv6 network of 64 bits, on which nothing was authenticated. */
  readonly maxUnauthenticated: number;
  /** Whether an address is that of a proxy, which has connections of many clients: they are not counted. */
  readonly isProxy: (address: string) => boolean;
}

/** A connection that counts, until it is authenticated or closed. */
export interface CountedConnection {
  leave(): void;
}

const NOT_COUNTED: CountedConnection = { leave: () => undefined };

const counted = new WeakMap<object, CountedConnection>();

/** A request or a message on a connection was authenticated: the connection does not count any more. */
export function countAsAuthenticated(socket: object): void {
  counted.get(socket)?.leave();
}

/** Counts the connections of each address. */
export class ConnectionLimit {
  private readonly counts = new Map<string, number>();

  constructor(private readonly options: ConnectionLimitOptions) {}

  /** Null where the address has as many connections as it may. */
  count(socket: Socket): CountedConnection | null {
    const { remoteAddress } = socket;
    // It is gone already.
    if (remoteAddress === undefined) return NOT_COUNTED;
    const network = networkOf(remoteAddress);
    const count = this.counts.get(network) ?? 0;
    if (count >= this.options.maxUnauthenticated)
      return this.options.isProxy(remoteAddress) ? NOT_COUNTED : null;
    this.counts.set(network, count + 1);
    let isCounted = true;
    const leave = (): void => {
      if (!isCounted) return;
      isCounted = false;
      const rest = (this.counts.get(network) ?? 0) - 1;
      if (rest > 0) this.counts.set(network, rest);
      else this.counts.delete(network);
    };
    counted.set(socket, { leave });
    return { leave };
  }
}

/** Whoever has one IPv6 address has all of its network. */
function networkOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  return isIPv6(plain) ? ipaddr.IPv6.parse(plain).parts.slice(0, 4).join(':') : plain;
}
