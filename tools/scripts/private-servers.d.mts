export interface PrivateServer {
  readonly url: string;
  /** Id of the server's main process. Further PostgreSQL processes are children of this process. */
  readonly pid: number;
  /** Sends a signal to the server. Resolves when the process has ended. The data on disk remains until `stop`. */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts the server again on the same port. Resolves when it responds. */
  begin(): Promise<void>;
  stop(): Promise<void>;
}

/** Options that make PostgreSQL fast but not durable, for data that need not survive a crash. */
export const QUICK_POSTGRES: readonly string[];
/** Options that make Redis fast but not durable. */
export const QUICK_REDIS: readonly string[];

/** Whether redis-server is installed on this machine. */
export function hasRedis(): boolean;

/**
 * @param options settings of the server, as `name=value`
 * @throws Error that says why the server does not start
 */
export function privatePostgres(options: readonly string[]): Promise<PrivateServer>;

/**
 * @param options further command-line arguments
 * @throws Error that says why the server does not start
 */
export function privateRedis(options: readonly string[]): Promise<PrivateServer>;

/** A random port on which no process listens. */
export function freePort(): Promise<number>;

/** User and group of servers that refuse to run as root; empty unless this process is root. */
export const SERVER_USER: { readonly uid?: number; readonly gid?: number };

/** Whether a PostgreSQL server accepts connections and statements. */
export function postgresAnswers(url: string): Promise<boolean>;

/**
 * Starts a server. Resolves when `answers` returns true.
 * @param options options of `spawn`
 * @throws Error that says why the server does not start
 */
export function startedServer(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly uid?: number; readonly gid?: number },
  answers: () => Promise<boolean>,
): Promise<Pick<PrivateServer, 'pid' | 'begin' | 'end'>>;
