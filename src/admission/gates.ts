/** What an execution must wait for before it may run. Both null: nothing. */
export interface Gates {
  /** The workflow whose `max_running` it counts for. */
  readonly workflowId: string | null;
  /** The serial session in which it waits its turn. */
  readonly sessionId: string | null;
}

/** The `status_reason` of an execution that waits. */
export type ParkedReason = 'max_running' | 'serial_session';

/** The state of a workflow's and a session's admission, as the database reported it a moment ago. */
export interface Line {
  /** Slots of the workflow in use. */
  readonly taken: readonly number[];
  /** Whether other executions of the workflow wait. */
  readonly isWaitedFor: boolean;
  /** Whether an earlier execution of the session has not ended. */
  readonly isBehind: boolean;
}

/**
 * The lowest free slots.
 * @param cap maximum number of slots in use; null for no limit
 */
export function freeSlots(cap: number | null, taken: readonly number[], wanted: number): readonly number[] {
  const count = cap === null ? wanted : Math.min(wanted, Math.max(0, cap - taken.length));
  const known = new Set(taken);
  const free: number[] = [];
  for (let slot = 0; free.length < count; slot += 1) if (!known.has(slot)) free.push(slot);
  return free;
}

/** The slot that a new execution may take at once, or why it must wait. No execution overtakes a waiting one. */
export function placeIn(line: Line, cap: number | null): { readonly slot: number } | ParkedReason {
  if (line.isBehind) return 'serial_session';
  const [slot] = freeSlots(cap, line.taken, 1);
  return slot === undefined || line.isWaitedFor ? 'max_running' : { slot };
}
