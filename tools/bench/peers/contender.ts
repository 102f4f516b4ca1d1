/** Interface of a measured engine. All engines do the same work over HTTP. */
import type { PrivateServer } from '../../scripts/private-servers.mjs';

/** A kind of request to an engine, and a check of its response. */
export interface Call {
  /** One URL, or several URLs that get the requests in turn. */
  readonly url: string | readonly string[];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  body(n: number): string;
  /**
   * @throws Error for an unexpected response
   */
  check(status: number, body: string): void;
}

export interface Running {
  /** Runs three sequential steps and responds with the last output. */
  readonly three: Call;
  /** Runs 40 light steps one after the other. */
  readonly chain: Call;
  /** Runs 40 light steps at the same time. */
  readonly parallel: Call;
  /**
   * Accepts an execution of three steps and responds before it runs. Null if the engine loses accepted work in a crash.
   */
  readonly leave: Call | null;
  completed(): Promise<number>;
  /** Ids of the processes that do the work, including databases. Their child processes count, too. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  /** Version of the engine, of its runtime and of its databases. */
  readonly version: string;
  /** Says whether acknowledged work survives a crash, and with which settings. */
  readonly durable: string;
  /** Whether the engine is this service. */
  readonly ours: boolean;
  start(servers: Servers): Promise<Running>;
}

export interface Servers {
  postgres(): Promise<PrivateServer>;
  redis(): Promise<PrivateServer>;
}
