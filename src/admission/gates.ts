/**
 * Limits that an execution must pass before it may run: `max_running` of its workflow, and its serial session. Null
 * means that the limit does not apply.
 */
export interface Gates {
  readonly workflowId: string | null;
  readonly sessionId: string | null;
}

/** The `status_reason` of an execution that waits for admission. */
export type ParkedReason = 'max_running' | 'serial_session';

/** The slots of a workflow and the state of a serial session at the moment when a new execution needs admission. */
export interface AdmissionState {
  /** Numbers of the workflow's slots that are in use. */
  readonly taken: readonly number[];
  /** Whether other executions of the workflow wait for admission. */
  readonly isWaitedFor: boolean;
  /** Whether the session has an earlier execution that is admitted, or that is due and waits. */
  readonly isBehind: boolean;
}

/**
 * Returns the lowest free slot numbers, at most `wanted` numbers.
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
 * Returns a free slot for a new execution, or the reason why it must wait. A new execution never overtakes waiting
 * executions.
 */
export function placeIn(line: AdmissionState, cap: number | null): { readonly slot: number } | ParkedReason {
  if (line.isBehind) return 'serial_session';
  const [slot] = freeSlots(cap, line.taken, 1);
  return slot === undefined || line.isWaitedFor ? 'max_running' : { slot };
}
