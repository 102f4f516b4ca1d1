/** What an execution has to wait for before it may run. Both null: nothing. */
export interface Gates {
  /** The workflow whose `max_running` it counts for. */
  readonly workflowId: string | null;
  /** The serial session in which it waits its turn. */
  readonly sessionId: string | null;
}

/** Why an execution waits, as `status_reason` says it. */
export type ParkedReason = 'max_running' | 'serial_session';

/** What stands before a gate, as the database saw it a moment ago. */
export interface Line {
  /** Slots of the workflow that are taken. */
  readonly taken: readonly number[];
  /** Whether others of the workflow wait already. */
  readonly isWaitedFor: boolean;
  /** Whether an earlier execution of the session has not ended. */
  readonly isBehind: boolean;
}

/**
 * The lowest free slots.
 * @param cap how many may be taken at once; null for any number
 */
export function freeSlots(cap: number | null, taken: readonly number[], wanted: number): readonly number[] {
  const count = cap === null ? wanted : Math.min(wanted, Math.max(0, cap - taken.length));
  const known = new Set(taken);
  const free: number[] = [];
  for (let slot = 0; free.length < count; slot += 1) if (!known.has(slot)) free.push(slot);
  return free;
}

/** The slot that a new execution may take at once, or why it has to wait. Nobody is overtaken. */
export function placeIn(line: Line, cap: number | null): { readonly slot: number } | ParkedReason {
  if (line.isBehind) return 'serial_session';
  const [slot] = freeSlots(cap, line.taken, 1);
  return slot === undefined || line.isWaitedFor ? 'max_running' : { slot };
}
