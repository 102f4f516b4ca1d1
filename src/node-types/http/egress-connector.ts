import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import type { EgressPolicy } from './egress-policy.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const CONNECT_TIMEOUT_MS = 10_000;

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * Returns a connector that enforces an egress policy. The connector resolves the host name once for each connection and
 * checks all addresses of the host name, which prevents DNS rebinding.
 */
export function egressConnector(
  policy: EgressPolicy,
  resolve: Resolve = resolveBySystem,
): buildConnector.connector {
  return (options, callback) => {
    void Promise.all([allowedAddresses(policy, resolve, options), import('undici')]).then(
      ([addresses, undici]) => {
        const connect = undici.buildConnector({
          lookup: pinnedTo(addresses),
          autoSelectFamily: true,
          allowH2: false,
          timeout: CONNECT_TIMEOUT_MS,
          port: Number(options.port),
        });
        connect(options, callback);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

async function allowedAddresses(
  policy: EgressPolicy,
  resolve: Resolve,
  { hostname, port, protocol }: buildConnector.Options,
): Promise<readonly ResolvedAddress[]> {
  const family = isIP(hostname);
  const addresses = family === 0 ? await resolve(hostname) : [{ address: hostname, family }];
  const portNumber = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  for (const { address } of addresses) policy.check(hostname, portNumber, address);
  return addresses;
}

/** Returns a DNS lookup function that returns only the checked addresses. */
function pinnedTo(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else if (first === undefined) callback(new Error(`The host name ${hostname} has no IP address.`), '', 0);
    else callback(null, first.address, first.family);
  };
}
