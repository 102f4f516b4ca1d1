/** The limits that an execution must pass before it may run; both fields are null if there is no limit. */
export interface Gates {
  /** The workflow whose `max_running` limits this execution; null if there is no such limit. */
  readonly workflowId: string | null;
  /** The serial session of the execution; null if the execution is not in a serial session. */
  readonly sessionId: string | null;
}

/** The `status_reason` of an execution that waits for admission. */
export type ParkedReason = 'max_running' | 'serial_session';

/**
 * The admissions of one workflow and one session, as read from the database. Other processes may have changed these
 * admissions since the read.
 */
export interface Line {
  /** Numbers of the workflow's slots in use. */
  readonly taken: readonly number[];
  /** Whether other executions of the workflow are waiting. */
  readonly isWaitedFor: boolean;
  /** Whether an earlier execution of the session has not ended. */
  readonly isBehind: boolean;
}

/**
 * At most `wanted` free slot numbers, the lowest ones first.
 * @param cap maximum number of slots in use; null for no limit
 */
export function freeSlots(cap: number | null, taken: readonly number[], wanted: number): readonly number[] {
  const count = cap === null ? wanted : Math.min(wanted, Math.max(0, cap - taken.length));
  const known = new Set(taken);
  const free: number[] = [];
  for (let slot = 0; free.length < count; slot += 1) if (!known.has(slot)) free.push(slot);
  return free;
}

/**
 * The slot that a new execution may take immediately, or the reason why it must wait. A new execution does not overtake
 * a waiting execution.
 */
export function placeIn(line: Line, cap: number | null): { readonly slot: number } | ParkedReason {
  if (line.isBehind) return 'serial_session';
  const [slot] = freeSlots(cap, line.taken, 1);
  return slot === undefined || line.isWaitedFor ? 'max_running' : { slot };
}
