import { CuttingProxy } from './cutting-proxy.ts';
import { seeded } from './random.ts';
import { type ReceivedEvent, type Verdict, verdictOf } from './verdict.ts';
import { createWorkload, EVENTS_EACH, journalOf, type Service, startExecution } from './workload.ts';

/** The client under test. It yields each received event until the signal aborts. */
export type ClientUnderProof = (
  url: string,
  key: string,
  signal: AbortSignal,
) => AsyncIterable<ReceivedEvent>;

export interface Proof {
  readonly service: Service;
  readonly client: ClientUnderProof;
  readonly events: number;
  /** Approximate number of connections that the proxy cuts. */
  readonly cuts: number;
  readonly seed: number;
  /**
   * Restarts the server. Called once, after half of the executions have started. Without this function, the server is
   * not restarted.
   */
  readonly restart?: () => Promise<void>;
  readonly log: (line: string) => void;
}

export interface ProofResult extends Verdict {
  readonly executions: number;
  readonly cuts: number;
}

/**
 * Estimated size of an event in bytes. The proof uses it to choose after how many bytes to cut a connection.
 */
const EVENT_BYTES = 650;
/** Maximum time in milliseconds to wait for the client to receive the last events. */
const MAX_WAIT_MS = 60_000;
const IN_FLIGHT = 8;

/**
 * Runs executions, cuts the connections of the client, and compares the events that the client received with the
 * journal.
 */
export async function prove(proof: Proof): Promise<ProofResult> {
  const random = seeded(proof.seed);
  const bytesEach = (proof.events * EVENT_BYTES) / proof.cuts;
  const proxy = new CuttingProxy(
    () => {
      const { hostname, port } = new URL(proof.service.url());
      return { host: hostname, port: Number(port) };
    },
    () => Math.max(1, Math.round(bytesEach * 2 * random())),
  );
  const received: ReceivedEvent[] = [];
  const stop = new AbortController();
  const url = await proxy.listen();
  const reading = read(proof.client(url, proof.service.key, stop.signal), received);
  try {
    const workflowId = await createWorkload(proof.service);
    const count = Math.ceil(proof.events / EVENTS_EACH);
    const ids: string[] = [];
    let restarted = proof.restart === undefined;
    while (ids.length < count) {
      const batch = Array.from({ length: Math.min(IN_FLIGHT, count - ids.length) }, () =>
        startExecution(proof.service, workflowId, 'x'.repeat(Math.floor(random() * 40))),
      );
      ids.push(...(await Promise.all(batch)));
      if (!restarted && ids.length > count / 2) {
        restarted = true;
        proof.log('restarting the server');
        await proof.restart?.();
      }
    }
    const journal = await journalOf(proof.service, ids);
    proof.log(`${ids.length} executions have ended, ${proxy.cuts} connections cut; waiting for the client`);
    await caughtUp(received, journal);
    return { ...verdictOf(received, journal), executions: ids.length, cuts: proxy.cuts };
  } finally {
    stop.abort();
    await proxy.close();
    await reading;
  }
}

async function read(events: AsyncIterable<ReceivedEvent>, into: ReceivedEvent[]): Promise<void> {
  for await (const event of events) into.push(event);
}

/**
 * Waits until the client has received every event of the journal, but at most `MAX_WAIT_MS`. Missing events are no
 * error here, because the verdict reports them.
 */
async function caughtUp(
  received: readonly ReceivedEvent[],
  journal: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const wanted = new Set([...journal.values()].flat());
  const deadline = Date.now() + MAX_WAIT_MS;
  let looked = 0;
  while (wanted.size > 0 && Date.now() < deadline) {
    for (; looked < received.length; looked += 1) wanted.delete(received[looked]?.id ?? '');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
