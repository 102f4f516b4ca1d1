/** Interface of the measured contenders. All of them do the same work over HTTP. */
import type { PrivateServer } from '../../scripts/private-servers.mjs';

/** A request for work, and a check of its response. */
export interface Call {
  /** URL of the contender. With several URLs, requests alternate between them (round-robin). */
  readonly url: string | readonly string[];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  body(n: number): string;
  /** @throws Error when the response is not the expected one */
  check(status: number, body: string): void;
}

export interface Running {
  /** Runs three sequential steps and responds with the last output. */
  readonly three: Call;
  /** Runs 40 light steps in sequence. */
  readonly chain: Call;
  /** Runs 40 light steps in parallel. */
  readonly parallel: Call;
  /** Starts three steps and responds once the work is accepted. Null if accepted work is not durable. */
  readonly leave: Call | null;
  /** Number of executions that have ended since the start. */
  completed(): Promise<number>;
  /** Ids of the processes that do the work, including databases. The CPU time of their children counts as theirs. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  /** Version of the contender, of its runtime and of its databases. */
  readonly version: string;
  /** Whether acknowledged work survives a crash, and with which settings. */
  readonly durable: string;
  /** True for this service. The other contenders are compared with it. */
  readonly ours: boolean;
  start(servers: Servers): Promise<Running>;
}

/** Database servers. Each server starts at its first use. */
export interface Servers {
  postgres(): Promise<PrivateServer>;
  redis(): Promise<PrivateServer>;
}
