export interface PrivateServer {
  readonly url: string;
  /** Of the process that started first; the others of PostgreSQL are its children. */
  readonly pid: number;
  /** Resolves when it is gone; what it keeps on disk stays until `stop`. */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Begins again, on the same port; resolves when it answers. */
  begin(): Promise<void>;
  stop(): Promise<void>;
}

/** Quick rather than safe, for what need not outlive the machine: options of a PostgreSQL and of a Redis. */
export const QUICK_POSTGRES: readonly string[];
export const QUICK_REDIS: readonly string[];

/** Whether a private Redis can be started here. */
export function hasRedis(): boolean;

/**
 * @param options settings of the server, as `name=value`
 * @throws Error saying why it does not start
 */
export function privatePostgres(options: readonly string[]): Promise<PrivateServer>;

/**
 * @param options more words of its command line
 * @throws Error saying why it does not start
 */
export function privateRedis(options: readonly string[]): Promise<PrivateServer>;

/** A port that nothing listens on now. */
export function freePort(): Promise<number>;
