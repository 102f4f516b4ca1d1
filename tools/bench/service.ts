/** Starts the service like a user would, on its own data directory. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startServer } from './server-process.ts';

export interface BenchedService {
  readonly server: ServerProcess;
  readonly headers: Readonly<Record<string, string>>;
  /** Environment for CLI commands on the same data directory. */
  readonly environment: Readonly<Record<string, string>>;
  get<T>(path: string): Promise<T>;
  post<T = { readonly id: string }>(path: string, body: unknown): Promise<T>;
  stop(): Promise<void>;
}

/** Browser executable: `TEST_CHROMIUM`, or else an installed Chromium or Chrome. */
export const CHROMIUM =
  process.env['TEST_CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync) ??
  'chromium';

/** Credentials of the admin, for signing in to the dashboard. */
export const EMAIL = 'ada@example.com';
export const PASSWORD = 'correct horse battery';

/** Limits far above the measured load: rate limiting stays active but refuses nothing. */
const LIMITS = JSON.stringify({ bench: { requests_per_minute: 10_000_000, burst: 10_000_000 } });

/**
 * @param more settings in addition to those of every measurement
 * @param channel whether to open an IPC channel to its process
 */
export async function startService(
  nodeArgs: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
  channel = false,
): Promise<BenchedService> {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-bench-'));
  const environment = {
    DATA_DIR: directory,
    PORT: '0',
    LOG_LEVEL: 'warn',
    // The clients open all their connections at once.
    MAX_UNAUTHENTICATED_CONNECTIONS: '10000',
    RATE_LIMIT_PLANS: LIMITS,
    DEFAULT_PLAN: 'bench',
    ...more,
  };
  const made = execFileSync(
    process.execPath,
    ['dist/src/cli/main.js', 'bootstrap', '--email', EMAIL, '--password', PASSWORD, '--json'],
    {
      env: { ...process.env, ...environment },
    },
  );
  const { key } = JSON.parse(made.toString()) as { readonly key: string };
  const server = await startServer([...nodeArgs, 'dist/src/main.js'], environment, channel);
  const headers = { authorization: `Bearer ${key}` };
  return {
    server,
    headers,
    environment,
    get: <T>(path: string) => answered<T>(server.url + path, { headers }),
    post: <T>(path: string, body: unknown) =>
      answered<T>(server.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function answered<T>(url: string, request: RequestInit): Promise<T> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
