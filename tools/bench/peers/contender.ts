/** Interface of a measured contender: all do the same work, over HTTP. */
import type { PrivateServer } from '../../scripts/private-servers.mjs';

/** A request for work, and a check of its response. */
export interface Call {
  /** With several servers, requests alternate between them (round-robin). */
  readonly url: string | readonly string[];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  body(n: number): string;
  /** @throws Error when the response is not the expected one */
  check(status: number, body: string): void;
}

export interface Running {
  /** Three sequential steps; responds with the last output. */
  readonly three: Call;
  /** Forty light steps in sequence. */
  readonly chain: Call;
  /** Forty light steps in parallel. */
  readonly parallel: Call;
  /** Three steps; responds once they are accepted. Null if accepted work is not durable. */
  readonly leave: Call | null;
  /** Number of executions that have ended since the start. */
  completed(): Promise<number>;
  /** Processes that do the work, databases included; their children count, too. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  /** Its version and the versions of its runtime and databases. */
  readonly version: string;
  /** Whether acknowledged work survives a crash, and with which settings. */
  readonly durable: string;
  /** Whether it is this service, the reference of the comparison. */
  readonly ours: boolean;
  start(servers: Servers): Promise<Running>;
}

/** Databases, each started at its first use. */
export interface Servers {
  postgres(): Promise<PrivateServer>;
  redis(): Promise<PrivateServer>;
}
