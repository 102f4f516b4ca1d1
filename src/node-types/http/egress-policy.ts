import ipaddr from 'ipaddr.js';
import { addressShare } from '../../platform/index.js';

/** Thrown when a request would reach an address that workflows may not call. */
export class EgressDeniedError extends Error {
  override readonly name = 'EgressDeniedError';

  constructor(hostname: string, port: number, kind: string) {
    // As a URL writes it: "::1:80" would be an address without a port.
    const host = hostname.includes(':') ? `[${hostname}]` : hostname;
    // The address behind a name stays unsaid: it would map the inner network for whoever asks.
    super(
      `${hostname} is (or resolves to) ${kind}, which workflows may not call. ` +
        `If they should, the operator of this service adds "${host}:${port}" to EGRESS_ALLOW.`,
    );
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Rule =
  | { readonly kind: 'host'; readonly name: string; readonly port: number | null }
  | { readonly kind: 'suffix'; readonly suffix: string; readonly port: number | null }
  | { readonly kind: 'network'; readonly network: readonly [Address, number]; readonly port: number | null };

/** Answers on a public address inside one cloud, to the virtual machine itself. */
const PUBLIC_METADATA_ADDRESSES = ['168.63.129.16'];

/** All of IPv6 that is given out for use on the internet (RFC 4291); `::/96` and others outside it say nothing. */
const GLOBAL_UNICAST: readonly [Address, number] = ipaddr.parseCIDR('2000::/3');

const NAMES: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'a carrier-grade NAT address',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
  '6to4': 'an address that tunnels to another',
  teredo: 'an address that tunnels to another',
  rfc6052: 'an address that translates to another',
  rfc6145: 'an address that translates to another',
};

/**
 * Says which addresses a workflow may call: those of the public internet, and what `EGRESS_ALLOW` names.
 * An entry is a host, `*.example.com` (its sub-domains), an IP address or a CIDR range, each with an optional
 * `:port` (IPv6 in brackets then). A named host may be at any address.
 */
export class EgressPolicy {
  private readonly rules: readonly Rule[];

  /** @throws Error naming every entry that cannot be read. */
  constructor(entries: readonly string[]) {
    const rules = entries.map(parseRule);
    const bad = entries.filter((_, index) => rules[index] === null);
    if (bad.length > 0)
      throw new Error(
        `EGRESS_ALLOW: ${bad.map((entry) => `"${entry}"`).join(', ')} is not a host, "*.host", IP address or CIDR range with an optional :port.`,
      );
    this.rules = rules.filter((rule) => rule !== null);
  }

  /** Which part of an address space the entries open together, from 0 to 1, on whatever port. */
  get share(): number {
    return addressShare(
      this.rules.flatMap((rule) =>
        rule.kind === 'network' ? [{ base: rule.network[0], bits: rule.network[1] }] : [],
      ),
    );
  }

  /**
   * Checks one address that a host name stands for, or is.
   * @param hostname Without brackets.
   * @throws EgressDeniedError
   */
  check(hostname: string, port: number, address: string): void {
    const parsed = parseAddress(address);
    if (parsed !== null && this.rules.some((rule) => allows(rule, plainName(hostname), port, parsed))) return;
    const kind = parsed === null ? 'an address that cannot be read' : closedKind(parsed);
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

/** What kind of closed address this is; null for one of the public internet. */
function closedKind(address: Address): string | null {
  const range = address.range();
  if (range !== 'unicast') return NAMES[range] ?? 'a reserved address';
  if (PUBLIC_METADATA_ADDRESSES.includes(address.toString())) return 'a metadata address';
  return address.kind() === 'ipv4' || inNetwork(address, GLOBAL_UNICAST) ? null : 'a reserved address';
}

function inNetwork(address: Address, network: readonly [Address, number]): boolean {
  return address.kind() === network[0].kind() && address.match(network[0], network[1]);
}

/** Reads an address; an IPv4-mapped one becomes its IPv4. Null for zone ids and anything that is not plain. */
function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // Written out in hexadecimal first: ipaddr.js reads "::1.2.3.4" as if it were "::ffff:1.2.3.4".
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
  // All digits and dots would be a mistyped address.
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
