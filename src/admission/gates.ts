/** The limits that an execution must pass before it may run; null means no limit. */
export interface Gates {
  readonly workflowId: string | null;
  readonly sessionId: string | null;
}

/** The `status_reason` of an execution that waits for admission. */
export type ParkedReason = 'max_running' | 'serial_session';

/** The admissions of one workflow and one session at the time of the read. */
export interface Line {
  /** Slot numbers in use. */
  readonly taken: readonly number[];
  /** Whether other executions of the workflow are waiting. */
  readonly isWaitedFor: boolean;
  /** Whether an earlier execution of the session has not ended. */
  readonly isBehind: boolean;
}

/**
 * The lowest free slot numbers, at most `wanted`.
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
 * Returns a free slot, or why the new execution must wait. New executions never overtake waiting
 * ones.
 */
export function placeIn(line: Line, cap: number | null): { readonly slot: number } | ParkedReason {
  if (line.isBehind) return 'serial_session';
  const [slot] = freeSlots(cap, line.taken, 1);
  return slot === undefined || line.isWaitedFor ? 'max_running' : { slot };
}
