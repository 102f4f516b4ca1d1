export interface PrivateServer {
  readonly url: string;
  /** Of the process that started first; the others of PostgreSQL are its children. */
  readonly pid: number;
  stop(): Promise<void>;
}

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
