/** All measured engines do the same work over HTTP. */
import type { PrivateServer } from '../../scripts/private-servers.mjs';

/** A request for work, and a check of its response. */
export interface Call {
  /** Several URLs get the requests in turn. */
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
  /** Three sequential steps; responds with the last output. */
  readonly three: Call;
  /** 40 light steps in sequence. */
  readonly chain: Call;
  /** 40 light steps in parallel. */
  readonly parallel: Call;
  /** Three steps; responds once the work is accepted. Null if accepted work is not durable. */
  readonly leave: Call | null;
  completed(): Promise<number>;
  /** Processes that do the work, including databases. Their children count, too. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  /** Version of the contender, its runtime and its databases. */
  readonly version: string;
  /** Whether acknowledged work survives a crash, and by which settings. */
  readonly durable: string;
  /** True for this service. */
  readonly ours: boolean;
  start(servers: Servers): Promise<Running>;
}

export interface Servers {
  postgres(): Promise<PrivateServer>;
  redis(): Promise<PrivateServer>;
}
