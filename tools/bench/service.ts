/** Starts the service with a temporary data directory, for benchmarks. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startServer } from './server-process.ts';

/** Sends API requests with a key. The returned promises reject if the response has an error status. */
export interface ServiceClient {
  readonly headers: Readonly<Record<string, string>>;
  get<T>(path: string): Promise<T>;
  post<T = { readonly id: string }>(path: string, body: unknown): Promise<T>;
}

export interface BenchedService extends ServiceClient {
  readonly server: ServerProcess;
  readonly key: string;
  /** Environment variables with which CLI commands use the data of this service. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Command-line options of Node.js, such as `--cpu-prof`. */
  readonly nodeArgs?: readonly string[];
  /** Settings for this benchmark, in addition to the settings of all benchmarks. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether to open an IPC channel to the process of the service. */
  readonly channel?: boolean;
  /** Folder of the build to start. Default: the build of this checkout. */
  readonly folder?: string;
}

/** Path of the Chromium browser: the variable `TEST_CHROMIUM`, or an installed Chromium or Chrome. */
export const CHROMIUM =
  process.env['TEST_CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync) ??
  'chromium';

/** Email address and password of the admin who signs in to the dashboard. */
export const EMAIL = 'ada@example.com';
export const PASSWORD = 'correct horse battery';

/** Rate-limit plan with limits far above the measured load. The service counts every request, but refuses none. */
const LIMITS = JSON.stringify({ bench: { requests_per_minute: 10_000_000, burst: 10_000_000 } });

export async function startService({
  nodeArgs = [],
  settings = {},
  channel = false,
  folder = '.',
}: ServiceOptions = {}): Promise<BenchedService> {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-bench-'));
  const environment = {
    DATA_DIR: directory,
    PORT: '0',
    LOG_LEVEL: 'warn',
    // All clients of a benchmark open their sockets at the same moment, before any of them authenticates. The default
    // limit would refuse some of them.
    MAX_UNAUTHENTICATED_CONNECTIONS: '10000',
    RATE_LIMIT_PLANS: LIMITS,
    DEFAULT_PLAN: 'bench',
    ...settings,
  };
  const made = execFileSync(
    process.execPath,
    [join(folder, 'dist/src/cli/main.js'), 'bootstrap', '--email', EMAIL, '--password', PASSWORD, '--json'],
    {
      env: { ...process.env, ...environment },
    },
  );
  const { key } = JSON.parse(made.toString()) as { readonly key: string };
  const server = await startServer([...nodeArgs, join(folder, 'dist/src/main.js')], environment, channel);
  return {
    ...clientOf(server.url, key),
    server,
    key,
    environment,
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function clientOf(url: string, key: string): ServiceClient {
  const headers = { authorization: `Bearer ${key}` };
  return {
    headers,
    get: <T>(path: string) => answered<T>(url + path, { headers }),
    post: <T>(path: string, body: unknown) =>
      answered<T>(url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

async function answered<T>(url: string, request: RequestInit): Promise<T> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
