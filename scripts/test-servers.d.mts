/** A server that tests use. */
export interface Server {
  readonly url: string;
  /** Says in words where it is from. */
  readonly from: string;
  stop(): Promise<void>;
}

/** One of the caller's own, which may be ended and begun again. What it keeps on disk stays until `stop`. */
export interface PrivateServer extends Server {
  /** Resolves when it is gone. */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Begins again, on the same port; resolves when it answers. */
  begin(): Promise<void>;
}

export function postgresServer(): Promise<Server>;
export function redisServer(): Promise<Server>;
export function privatePostgres(): Promise<PrivateServer>;
export function privateRedis(): Promise<PrivateServer>;
/** Whether a private Redis can be started here. */
export function hasRedis(): boolean;
