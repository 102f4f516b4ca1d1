import type { TokenIssuer } from './token-issuer.js';

/** Settings that have stricter rules if `NODE_ENV` is `production`. */
interface GuardedSettings {
  readonly NODE_ENV: string;
  readonly BASE_URL?: string | undefined;
  readonly DASHBOARD_URL?: string | undefined;
  readonly SECRETS_KEY?: string | undefined;
  readonly METRICS_TOKEN?: string | undefined;
  readonly TEST_CLOCK: boolean;
  readonly TOKEN_ISSUERS: readonly Pick<TokenIssuer, 'issuer' | 'jwks_url'>[];
}

const KEY_BYTES = 32;
/** Minimum number of distinct bytes in `SECRETS_KEY`. A key of 32 random bytes has about 30 distinct bytes. */
const MIN_DISTINCT_BYTES = 12;
/**
 * Minimum number of distinct characters in `METRICS_TOKEN`. A token of 16 random hexadecimal digits has about 10
 * distinct characters.
 */
const MIN_DISTINCT_CHARACTERS = 6;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function productionFaults(settings: GuardedSettings): readonly string[] {
  if (settings.NODE_ENV !== 'production') return [];
  const { SECRETS_KEY, METRICS_TOKEN } = settings;
  const faults: string[] = [];
  for (const name of ['BASE_URL', 'DASHBOARD_URL'] as const)
    if (isUnencrypted(settings[name]))
      faults.push(
        `${name} must begin with https:// in production, because sign-ins must be encrypted; http is allowed only for localhost`,
      );
  if (SECRETS_KEY !== undefined) faults.push(...secretsKeyFaults(SECRETS_KEY));
  if (METRICS_TOKEN !== undefined && isWeak([...Buffer.from(METRICS_TOKEN)], MIN_DISTINCT_CHARACTERS))
    faults.push('METRICS_TOKEN is too easy to guess: generate one with "openssl rand -hex 16"');
  if (settings.TEST_CLOCK)
    faults.push(
      'TEST_CLOCK must be false in production, because callers could change the time of the service',
    );
  for (const { issuer, jwks_url } of settings.TOKEN_ISSUERS)
    if (jwks_url !== undefined && !jwks_url.startsWith('https://'))
      faults.push(`TOKEN_ISSUERS: jwks_url of ${issuer} must be https in production`);
  return faults;
}

function isUnencrypted(url: string | undefined): boolean {
  if (url === undefined) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

function secretsKeyFaults(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'base64');
  const howToGenerate = 'generate one with "openssl rand -base64 32"';
  if (!BASE64.test(text) || bytes.length < KEY_BYTES)
    return [`SECRETS_KEY must be ${KEY_BYTES} random bytes in base64: ${howToGenerate}`];
  const differences = bytes.subarray(1).map((byte, at) => byte - (bytes[at] ?? 0));
  return isWeak([...bytes], MIN_DISTINCT_BYTES) || new Set(differences).size < MIN_DISTINCT_BYTES
    ? [`SECRETS_KEY is not random (equal bytes, a pattern or a sequence): ${howToGenerate}`]
    : [];
}

/** Whether a key or token has too few distinct symbols, or repeats a pattern. */
function isWeak(symbols: readonly number[], minDistinct: number): boolean {
  if (new Set(symbols).size < minDistinct) return true;
  const periods = Array.from({ length: Math.floor(symbols.length / 2) }, (_, at) => at + 1);
  return periods.some((period) =>
    symbols.every((symbol, at) => at < period || symbol === symbols[at - period]),
  );
}
