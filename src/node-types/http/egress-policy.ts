import ipaddr from 'ipaddr.js';
import { addressShare } from '../../platform/index.js';

/** Thrown when the egress policy denies an address. */
export class EgressDeniedError extends Error {
  override readonly name = 'EgressDeniedError';

  constructor(hostname: string, port: number, kind: string) {
    // An IPv6 address is shown in brackets, because "::1:80" could be an address without a port.
    const host = hostname.includes(':') ? `[${hostname}]` : hostname;
    // The message omits the resolved address, because that address would reveal the internal network.
    super(
      `${hostname} is (or resolves to) ${kind}, which workflows may not call. To allow it, add ` +
        `"${host}:${port}" to the setting EGRESS_ALLOW.`,
    );
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Rule =
  | { readonly kind: 'host'; readonly name: string; readonly port: number | null }
  | { readonly kind: 'suffix'; readonly suffix: string; readonly port: number | null }
  | { readonly kind: 'network'; readonly network: readonly [Address, number]; readonly port: number | null };

/** Public addresses of the metadata services of cloud providers, which workflows must not call. */
const PUBLIC_METADATA_ADDRESSES = ['168.63.129.16'];

/**
 * IPv6 range of the public internet (RFC 4291). IPv6 addresses outside this range are denied, because the library
 * ipaddr.js does not classify all of them.
 */
const GLOBAL_UNICAST: readonly [Address, number] = ipaddr.parseCIDR('2000::/3');

const RANGE_NAMES: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'a carrier-grade NAT address',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
  '6to4': 'an address that tunnels to another address',
  teredo: 'an address that tunnels to another address',
  rfc6052: 'an address that translates to another address',
  rfc6145: 'an address that translates to another address',
};

/**
 * Decides which addresses workflows may call: public addresses, and entries of `EGRESS_ALLOW`. An entry is a host,
 * `*.example.com`, an IP address or a CIDR range, optionally with `:port`.
 */
export class EgressPolicy {
  private readonly rules: readonly Rule[];

  /** @throws Error that lists all invalid entries. */
  constructor(entries: readonly string[]) {
    const rules = entries.map(parseRule);
    const bad = entries.filter((_, index) => rules[index] === null);
    if (bad.length > 0)
      throw new Error(
        `EGRESS_ALLOW: ${bad.map((entry) => `"${entry}"`).join(', ')} is not a host, "*.host", IP address or CIDR range with an optional :port.`,
      );
    this.rules = rules.filter((rule) => rule !== null);
  }

  /** Share of the address space that the addresses and ranges in `EGRESS_ALLOW` allow, from 0 to 1. */
  get share(): number {
    return addressShare(
      this.rules.flatMap((rule) =>
        rule.kind === 'network' ? [{ base: rule.network[0], bits: rule.network[1] }] : [],
      ),
    );
  }

  /**
   * Checks one resolved address of a host name, or an address that the URL contains.
   *
   * @param hostname host of the URL, without the brackets of an IPv6 address
   * @throws EgressDeniedError
   */
  check(hostname: string, port: number, address: string): void {
    const parsed = parseAddress(address);
    if (parsed !== null && this.rules.some((rule) => allows(rule, plainName(hostname), port, parsed))) return;
    const kind = parsed === null ? 'an address that cannot be read' : deniedKind(parsed);
    if (kind !== null) throw new EgressDeniedError(hostname, port, kind);
  }
}

function allows(rule: Rule, hostname: string, port: number, address: Address): boolean {
  if (rule.port !== null && rule.port !== port) return false;
  switch (rule.kind) {
    case 'host':
      return hostname === rule.name;
    case 'suffix':
      return hostname.endsWith(rule.suffix);
    case 'network':
      return inNetwork(address, rule.network);
  }
}

/** Returns the kind of a denied address, such as "a private address". Returns null for a public address. */
function deniedKind(address: Address): string | null {
  const range = address.range();
  if (range !== 'unicast') return RANGE_NAMES[range] ?? 'a reserved address';
  if (PUBLIC_METADATA_ADDRESSES.includes(address.toString())) return 'a metadata address';
  return address.kind() === 'ipv4' || inNetwork(address, GLOBAL_UNICAST) ? null : 'a reserved address';
}

function inNetwork(address: Address, network: readonly [Address, number]): boolean {
  return address.kind() === network[0].kind() && address.match(network[0], network[1]);
}

/**
 * Parses an IP address. Converts an IPv4-mapped IPv6 address to IPv4. Returns null for an address with a zone id or in
 * a non-canonical form.
 */
function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // ipaddr.js wrongly parses "::1.2.3.4" as "::ffff:1.2.3.4", so `URL` converts the address to hexadecimal form first.
  const hexadecimal = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1);
  return hexadecimal === undefined ? null : ipaddr.process(hexadecimal);
}

function parseRule(entry: string): Rule | null {
  const found =
    /^\[(?<body>[^\]]+)\](?::(?<port>\d{1,5}))?$/.exec(entry) ??
    /^(?<body>[^:[\]]+)(?::(?<port>\d{1,5}))?$/.exec(entry) ??
    /^(?<body>[\da-f:.]+(?:\/\d+)?)$/i.exec(entry);
  const body = found?.groups?.['body'];
  if (body === undefined) return null;
  const port = found?.groups?.['port'] === undefined ? null : Number(found.groups['port']);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  if (body.includes('/'))
    return ipaddr.isValidCIDR(body)
      ? { kind: 'network', network: unmapped(ipaddr.parseCIDR(body)), port }
      : null;
  const address = parseAddress(body);
  if (address !== null)
    return { kind: 'network', network: [address, address.kind() === 'ipv4' ? 32 : 128], port };
  const name = plainName(body);
  const suffix = name.startsWith('*.') ? name.slice(1) : null;
  // A host name of only digits and dots is a mistyped address, so such an entry is invalid.
  if (!/^(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(suffix?.slice(1) ?? name) || /^[\d.]+$/.test(name))
    return null;
  return suffix === null ? { kind: 'host', name, port } : { kind: 'suffix', suffix, port };
}

function unmapped([address, bits]: [Address, number]): readonly [Address, number] {
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96)
    return [address.toIPv4Address(), bits - 96];
  return [address, bits];
}

function plainName(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
