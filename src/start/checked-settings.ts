import { AddressRanges } from '../access/index.js';
import { checkTokenIssuers } from '../auth/index.js';
import { EgressPolicy } from '../nodes/index.js';
import { readSettings, type Settings, SettingsError } from '../platform/index.js';

/** Settings whose words only a room can read, and how it reads them. */
const ROOM_CHECKS: readonly ((settings: Settings) => unknown)[] = [
  ({ TRUSTED_PROXIES }) => named('TRUSTED_PROXIES', () => AddressRanges.of(TRUSTED_PROXIES)),
  ({ TOKEN_ISSUERS }) => checkTokenIssuers(TOKEN_ISSUERS),
  ({ EGRESS_ALLOW }) => new EgressPolicy(EGRESS_ALLOW),
];

/**
 * The settings, checked by the rooms that read them too, so that a fault is told at once and not where it is met.
 * @throws SettingsError
 */
export function checkedSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const settings = readSettings(environment);
  const faults = ROOM_CHECKS.flatMap((check) => faultsOf(() => check(settings)));
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

function faultsOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function named(setting: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw new Error(`${setting}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
