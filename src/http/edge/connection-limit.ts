import { isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface ConnectionLimitOptions {
  /** Maximum number of open unauthenticated connections from one IPv4 address or one IPv6 /64 network. */
  readonly maxUnauthenticated: number;
  /**
   * Whether an address belongs to a trusted proxy. The connections of proxies have no limit, because a proxy serves
   * many clients.
   */
  readonly isProxy: (address: string) => boolean;
}

export interface CountedConnection {
  leave(): void;
}

const NOT_COUNTED: CountedConnection = { leave: () => undefined };

const counted = new WeakMap<object, CountedConnection>();

/**
 * Stops counting a connection as unauthenticated. Must be called when a request or message on the connection was
 * authenticated.
 */
export function countAsAuthenticated(socket: object): void {
  counted.get(socket)?.leave();
}

export class ConnectionLimit {
  private readonly counts = new Map<string, number>();

  constructor(private readonly options: ConnectionLimitOptions) {}

  /** Counts a new connection as unauthenticated. Returns null if its address has reached the limit. */
  count(socket: Socket): CountedConnection | null {
    const { remoteAddress } = socket;
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

/**
 * Returns the network whose connections are counted together. For IPv6, that is the /64 network of the address, because
 * one client may use all of its addresses. An IPv4 address counts alone.
 */
function networkOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  return isIPv6(plain) ? ipaddr.IPv6.parse(plain).parts.slice(0, 4).join(':') : plain;
}
