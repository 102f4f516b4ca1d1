import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { productionFaults } from './production-faults.js';
import {
  databaseUrl,
  flag,
  headers,
  json,
  list,
  number,
  optionalNumber,
  origins,
  postgresUrl,
  traceUrlTemplate,
  url,
} from './setting-types.js';
import { tokenIssuers } from './token-issuer.js';

/** Settings of the database that `DATABASE_URL` names. */
export type DatabaseSettings =
  | {
      readonly dialect: 'sqlite';
      readonly path: string;
      /** The value of `DATA_DIR`. Set only if the SQLite file is directly in that directory. */
      readonly ownFolder?: string;
    }
  | {
      readonly dialect: 'postgres';
      /** URL of the database, which may contain several hosts. */
      readonly url: string;
      /**
       * URL that bypasses the pooler, for work that needs its own database session. Set if `url` leads to a pooler in
       * transaction mode.
       */
      readonly directUrl?: string;
      /** Maximum number of connections per process, not counting the connection for LISTEN. Default: 10. */
      readonly poolSize?: number;
      /** Statement timeout in milliseconds. Default: 15,000. */
      readonly limitMs?: number;
    };

/** Rate and capacity of the token bucket of a rate-limit plan. */
export interface PlanLimits {
  readonly requests_per_minute: number;
  /** Capacity of the token bucket in requests. Default: `requests_per_minute`. */
  readonly burst: number;
}

const planOverrides = z.record(
  z.string(),
  z.strictObject({
    requests_per_minute: z.int().min(1).max(10_000_000),
    burst: z.int().min(1).max(10_000_000).optional(),
  }),
);

const schema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: number(3000, 0, 65_535),
  DATA_DIR: z.string().min(1).default('./.data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: number(10, 2, 500),
  DATABASE_TIMEOUT_SECONDS: number(15, 3, 300),
  REDIS_URL: url(['redis', 'rediss']).optional(),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits or any of . _ -')
    .default('workflow-service'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  BASE_URL: url(['http', 'https']).optional(),
  DASHBOARD_URL: url(['http', 'https']).optional(),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  RATE_LIMIT_CATALOG: z.enum(['tiered', 'standard']).default('tiered'),
  RATE_LIMIT_PLANS: json(planOverrides, '{}'),
  DEFAULT_PLAN: z.string().min(1).optional(),
  TEAM_RATE_LIMIT_FACTOR: number(10, 1, 1_000_000),
  TRUSTED_PROXIES: list,
  EGRESS_ALLOW: list,
  CORS_ORIGINS: origins,
  HTTP_BODY_LIMIT: number(1_048_576, 1024, 104_857_600),
  MAX_UNAUTHENTICATED_CONNECTIONS: number(256, 1, 1_000_000),
  TOKEN_ISSUERS: json(tokenIssuers, '[]'),
  SECRETS_KEY: z.string().optional(),
  SECRETS_KEY_OLD: list,
  RETENTION_DAYS: number(30, 1, 3650),
  RUN_CONCURRENCY: number(256, 1, 10_000),
  MAX_DESCENDANTS: number(10_000, 1, 1_000_000),
  MAX_UNFINISHED_EXECUTIONS: number(100_000, 1, 100_000_000),
  MAX_RECOVERIES: number(5, 1, 100),
  EXECUTION_MAX_BYTES: number(67_108_864, 1_048_576, 1_073_741_824),
  PROCESS_MAX_BYTES: optionalNumber(1_048_576, 1_099_511_627_776),
  SHUTDOWN_GRACE_SECONDS: number(10, 0, 25),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  METRICS_PORT: optionalNumber(1, 65_535),
  TEST_CLOCK: flag,
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http', 'https']).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_SERVICE_NAME: z.string().min(1).max(255).default('workflow-service'),
  TRACE_URL_TEMPLATE: traceUrlTemplate.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['pretty', 'json']).optional(),
  LOG_EXECUTIONS: flag,
  WORKFLOW_PLUGINS: list,
});

/** Every setting of the service, by the name of its environment variable. */
export type Settings = Readonly<z.infer<typeof schema>> & { readonly database: DatabaseSettings };

export const SETTINGS = Symbol('SETTINGS');

export const SETTING_NAMES = Object.keys(schema.shape) as readonly (keyof z.infer<typeof schema>)[];

/** Thrown when settings are invalid. The message contains every error, one per line. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

export interface InspectedSettings {
  readonly settings: Settings;
  /** Errors about invalid settings, one line for each error. Empty if all settings are valid. */
  readonly faults: readonly string[];
}

/**
 * Reads settings from environment variables and collects all errors instead of throwing. Each invalid setting gets its
 * default value.
 */
export function inspectSettings(
  environment: Readonly<Record<string, string | undefined>>,
): InspectedSettings {
  const given = SETTING_NAMES.flatMap((name) => {
    const value = environment[name];
    return value === undefined || value.trim() === '' ? [] : [[name, value.trim()] as const];
  });
  const issues = schema.safeParse(Object.fromEntries(given)).error?.issues ?? [];
  const faulty = new Set(issues.map(({ path: [name] }) => name));
  const values = schema.parse(Object.fromEntries(given.filter(([name]) => !faulty.has(name))));
  const settings = { ...values, database: databaseSettings(values) };
  return {
    settings,
    faults: [
      ...issues.map(({ path, message }) => `${path.join('.')} ${message}`),
      ...(faulty.has('DATABASE_URL') ? [] : [...roleFaults(settings), ...directUrlFaults(settings)]),
      ...addressFaults(settings),
      ...productionFaults(settings),
    ],
  };
}

/**
 * Reads settings from environment variables. An empty variable counts as unset.
 *
 * @throws SettingsError that lists all invalid settings
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const { settings, faults } = inspectSettings(environment);
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

function databaseSettings({
  DATABASE_URL: given,
  DATABASE_DIRECT_URL: directUrl,
  DATABASE_POOL_SIZE: poolSize,
  DATABASE_TIMEOUT_SECONDS: timeoutSeconds,
  DATA_DIR,
}: Pick<
  Settings,
  'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_POOL_SIZE' | 'DATABASE_TIMEOUT_SECONDS' | 'DATA_DIR'
>): DatabaseSettings {
  if (given === undefined) return sqliteSettings(`${DATA_DIR}/workflow.sqlite`, DATA_DIR);
  if (!given.startsWith('sqlite:'))
    return {
      dialect: 'postgres',
      url: given,
      ...(directUrl === undefined ? {} : { directUrl }),
      poolSize,
      limitMs: timeoutSeconds * 1_000,
    };
  return sqliteSettings(decodeURIComponent(given.slice('sqlite://'.length)), DATA_DIR);
}

function sqliteSettings(path: string, dataDir: string): DatabaseSettings {
  const isOwn = resolve(dirname(path)) === resolve(dataDir);
  return { dialect: 'sqlite', path, ...(isOwn ? { ownFolder: dataDir } : {}) };
}

/** Returns errors about `ROLE`. SQLite requires `ROLE=all`, because only one process can open the SQLite file. */
function roleFaults({ ROLE, database }: Pick<Settings, 'ROLE' | 'database'>): readonly string[] {
  return ROLE === 'all' || database.dialect === 'postgres'
    ? []
    : [
        `ROLE ${ROLE} needs PostgreSQL: set DATABASE_URL to postgres://... SQLite supports only one process with ROLE=all`,
      ];
}

function directUrlFaults({ DATABASE_DIRECT_URL, database }: Settings): readonly string[] {
  return DATABASE_DIRECT_URL === undefined || database.dialect === 'postgres'
    ? []
    : ['DATABASE_DIRECT_URL needs DATABASE_URL: the URL of the pooler in front of the same database'];
}

function addressFaults({ BASE_URL, TLS_CERT, TLS_KEY }: Settings): readonly string[] {
  const faults: string[] = [];
  if (BASE_URL !== undefined && /[?#]/.test(BASE_URL))
    faults.push('BASE_URL must not have a query or a fragment');
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined))
    faults.push(
      'TLS_CERT and TLS_KEY must be set together: the files of a certificate and of its private key',
    );
  if (TLS_CERT !== undefined && BASE_URL?.startsWith('http://') === true)
    faults.push('BASE_URL must begin with https:// if TLS_CERT is set');
  return faults;
}
