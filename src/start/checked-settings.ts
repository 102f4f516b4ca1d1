import { AddressRanges } from '../access/index.js';
import { tokenIssuerFaults } from '../token-exchange/index.js';
import { EgressPolicy } from '../node-types/index.js';
import { inspectSettings, type Settings, SettingsError } from '../settings/index.js';
import { readTlsFiles } from '../http/index.js';
import { RateLimitPlans } from '../rate-limits/index.js';

/**
 * Share of all IP addresses, from 0 to 1. In production, the service refuses an address list that covers this share or
 * more, because the list would restrict almost nothing.
 */
const TOO_MUCH = 0.5;

/** Checks of settings that need the parsers of other modules, such as the parser of address ranges. */
const ROOM_CHECKS: readonly ((settings: Settings) => readonly string[])[] = [
  proxyFaults,
  ({ TOKEN_ISSUERS }) => tokenIssuerFaults(TOKEN_ISSUERS),
  egressFaults,
  (settings) => faultsOf(() => new RateLimitPlans(settings)),
  (settings) => faultsOf(() => readTlsFiles(settings)),
];

/**
 * Reads the settings and runs all checks, so that the startup reports all errors together.
 *
 * @throws SettingsError that lists all invalid settings
 */
export function checkedSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const inspected = inspectSettings(environment);
  const faults = [...inspected.faults, ...ROOM_CHECKS.flatMap((check) => check(inspected.settings))];
  if (faults.length > 0) throw new SettingsError(faults);
  return inspected.settings;
}

function proxyFaults({ TRUSTED_PROXIES, NODE_ENV }: Settings): readonly string[] {
  const faults = TRUSTED_PROXIES.flatMap((entry) => faultsOf(() => AddressRanges.of([entry])));
  if (faults.length > 0) return faults.map((fault) => `TRUSTED_PROXIES: ${fault}`);
  return NODE_ENV === 'production' && AddressRanges.of(TRUSTED_PROXIES).share >= TOO_MUCH
    ? [
        'TRUSTED_PROXIES covers half of all addresses or more, so clients could forge their address: list only the proxies',
      ]
    : [];
}

function egressFaults({ EGRESS_ALLOW, NODE_ENV }: Settings): readonly string[] {
  const faults = faultsOf(() => new EgressPolicy(EGRESS_ALLOW));
  if (faults.length > 0) return faults;
  return NODE_ENV === 'production' && new EgressPolicy(EGRESS_ALLOW).share >= TOO_MUCH
    ? [
        'EGRESS_ALLOW covers half of all addresses or more, including private ones: list only what workflows need',
      ]
    : [];
}

function faultsOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    return [error instanceof Error ? error.message : String(error)];
  }
}
