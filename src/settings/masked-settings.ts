import { withoutPassword } from './postgres-url.js';
import { SETTING_NAMES, type Settings } from './settings.js';

const MASK = '***';
const SECRET_NAMES: ReadonlySet<string> = new Set<keyof Settings>([
  'SECRETS_KEY',
  'SECRETS_KEY_OLD',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
]);
/** Parts of settings that are masked. An operator may have entered a private key in `jwks` by mistake. */
const SECRET_PARTS: ReadonlySet<string> = new Set(['jwks']);

/** Returns the effective settings by name, with secrets masked. Unset settings have the value null. */
export function maskedSettings(settings: Settings): Readonly<Record<string, unknown>> {
  const { database } = settings;
  const effective: Readonly<Record<string, unknown>> = {
    ...settings,
    DATABASE_URL: database.dialect === 'sqlite' ? `sqlite://${database.path}` : database.url,
  };
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, masked(name, effective[name] ?? null)]));
}

function masked(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (SECRET_NAMES.has(name)) return MASK;
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (SECRET_PARTS.has(key)) return MASK;
    return typeof part === 'string' ? withoutPassword(part) : part;
  });
}
