export interface ReceivedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly execution_id: string;
}

export interface Verdict {
  /** Violations of the delivery guarantees, as sentences for the user. */
  readonly faults: readonly string[];
  readonly received: number;
  /** Number of repeated events. The service may deliver an event more than once, with the same id. */
  readonly duplicates: number;
}

/** Maximum number of violations to report. After a violation, later ones are often its consequences. */
const MAX_FAULTS = 20;

/**
 * Compares the events that a client received with the journal. The client must have received the events of
 * each execution completely and in order.
 * @param journal event ids of each execution, in the order of their sequence numbers
 */
export function verdictOf(
  received: readonly ReceivedEvent[],
  journal: ReadonlyMap<string, readonly string[]>,
): Verdict {
  const faults: string[] = [];
  const next = new Map<string, number>();
  let duplicates = 0;
  let foreign = 0;
  for (const event of received) {
    const ids = journal.get(event.execution_id);
    if (ids === undefined) {
      foreign += 1;
      continue;
    }
    const expected = next.get(event.execution_id) ?? 1;
    const of = `${event.execution_id} #${event.sequence}`;
    if (ids[event.sequence - 1] !== event.id) faults.push(`${of}: id ${event.id} differs from the journal`);
    else if (event.sequence < expected) duplicates += 1;
    else if (event.sequence > expected) faults.push(`${of}: arrived instead of #${expected}`);
    if (event.sequence >= expected) next.set(event.execution_id, event.sequence + 1);
  }
  for (const [executionId, ids] of journal) {
    const seen = (next.get(executionId) ?? 1) - 1;
    if (seen < ids.length) faults.push(`${executionId}: ended at #${seen} of ${ids.length}`);
  }
  return { faults: faults.slice(0, MAX_FAULTS), received: received.length - foreign, duplicates };
}
