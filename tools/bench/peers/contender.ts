/** Interface of an engine in the comparison. All engines do the same work, which they receive over HTTP. */
import type { PrivateServer } from '../../scripts/private-servers.mjs';

/** A kind of HTTP request to an engine, with a check of the response. */
export interface Call {
  /** Base URL of the engine. If there are several URLs, they receive the requests in turn. */
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
  /** Request that runs three sequential steps and returns the output of the last step. */
  readonly three: Call;
  /** Request that runs 40 light steps one after the other. */
  readonly chain: Call;
  /** Request that runs 40 light steps in parallel. */
  readonly parallel: Call;
  /**
   * Request that adds an execution of three steps to a durable backlog and returns before the execution runs. Null if
   * the engine loses a backlog in a crash.
   */
  readonly leave: Call | null;
  completed(): Promise<number>;
  /**
   * Ids of the processes whose CPU time is measured, including databases. CPU time of their child processes is added.
   */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  /** Versions of the engine, its runtime and its databases, as text. */
  readonly version: string;
  /** Describes whether acknowledged work survives a crash, and with which settings of the engine. */
  readonly durable: string;
  /** True for this service; false for other engines. */
  readonly ours: boolean;
  start(servers: Servers): Promise<Running>;
}

export interface Servers {
  postgres(): Promise<PrivateServer>;
  redis(): Promise<PrivateServer>;
}
