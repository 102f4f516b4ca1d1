/** Who is measured, and what the measurement asks of each: the same work, over HTTP. */
import type { PrivateServer } from '../../scripts/private-servers.mjs';

/** A way to ask for work, and what its answer must be. */
export interface Call {
  /** Of several servers each is asked in its turn. */
  readonly url: string | readonly string[];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  body(n: number): string;
  /** @throws Error where the answer is not what was asked for */
  check(status: number, body: string): void;
}

export interface Running {
  /** Three steps, one after the other; answered with the last one's output. */
  readonly three: Call;
  /** Forty light steps, one after the other. */
  readonly chain: Call;
  /** Forty light steps, side by side. */
  readonly parallel: Call;
  /** Three steps, answered once they are accepted; null where nothing accepted would be kept. */
  readonly leave: Call | null;
  /** Executions that came to their end, ever. */
  completed(): Promise<number>;
  /** Processes that do the work, each with its children; databases included. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  /** Its version, and of what else it runs on. */
  readonly version: string;
  /** What a crash leaves of what was acknowledged, and with which settings. */
  readonly durable: string;
  /** Whether it is this service, to which the others are compared. */
  readonly ours: boolean;
  start(servers: Servers): Promise<Running>;
}

/** Databases, started when somebody first asks for them. */
export interface Servers {
  postgres(): Promise<PrivateServer>;
  redis(): Promise<PrivateServer>;
}
