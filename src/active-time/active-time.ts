import type { EventDataByType } from '../execution-events/index.js';
import type { ExecutionStatus } from '../execution-events/index.js';
import type { Occurrence } from '../execution-events/index.js';

/**
 * The active time of an execution, if its timeout counts active time only. Time counts while the status is `running`.
 * Pauses, timers of more than 5 seconds, and waits for a signal or a child have another status.
 */
export interface ActiveTime {
  readonly limitMs: number;
  /** Milliseconds counted up to the last event. */
  readonly usedMs: number;
  /** Epoch milliseconds of the last event; null if no time counts now. */
  readonly since: number | null;
  /** Epoch milliseconds at which the execution ends at the latest; null if it has no deadline. */
  readonly deadlineAt: number | null;
}

/**
 * The active time after one more event. Each event adds the time since the previous event. A recovery adds nothing,
 * because the process that ran the execution died at an unknown time.
 * @param before the active time before the event
 * @param at epoch milliseconds of the event
 * @param status of the execution after the event
 * @returns null if the timeout counts all time from start to end
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

/** Epoch milliseconds at which the active time reaches its limit if it keeps counting; null if no time counts now. */
export function activeTimeoutAt({ limitMs, usedMs, since }: ActiveTime): number | null {
  return since === null ? null : since + Math.max(0, limitMs - usedMs);
}
