import type { EventDataByType } from '../execution-events/index.js';
import type { ExecutionStatus } from '../execution-events/index.js';
import type { Occurrence } from '../execution-events/index.js';

/**
 * Time that an execution spent in the status `running`. Pauses, long timers, and waits for a signal
 * or a child do not count.
 */
export interface ActiveTime {
  readonly limitMs: number;
  /** Milliseconds counted up to the last event. */
  readonly usedMs: number;
  /** Epoch milliseconds of the last event; null if no time counts now. */
  readonly since: number | null;
  /** Epoch milliseconds of the deadline; null if the execution has none. */
  readonly deadlineAt: number | null;
}

/**
 * Adds the time since the previous event. A recovery adds nothing, because the process died at an
 * unknown time.
 * @param before the active time before the event
 * @param at epoch milliseconds of the event
 * @param status of the execution after the event
 * @returns null if the timeout also counts pauses and waits
 */
export function activeTimeAfter(
  before: ActiveTime | null,
  event: Occurrence,
  at: number,
  status: ExecutionStatus,
): ActiveTime | null {
  if (event.type === 'workflow.started') return begun(event.data, at);
  if (before === null) return null;
  const from = event.type === 'workflow.recovered' ? null : before.since;
  const added = from === null ? 0 : Math.max(0, at - from);
  return { ...before, usedMs: before.usedMs + added, since: status === 'running' ? at : null };
}

function begun(data: EventDataByType['workflow.started'], at: number): ActiveTime | null {
  if (data.timeout_counts !== 'active') return null;
  return {
    limitMs: Date.parse(data.timeout_at) - at,
    usedMs: 0,
    since: at,
    deadlineAt: data.deadline_at === undefined ? null : Date.parse(data.deadline_at),
  };
}

/** Epoch milliseconds at which the active time reaches its limit; null if no time counts now. */
export function activeTimeoutAt({ limitMs, usedMs, since }: ActiveTime): number | null {
  return since === null ? null : since + Math.max(0, limitMs - usedMs);
}
