import type { EventDataByType } from '../execution-events/index.js';
import type { ExecutionStatus } from '../execution-events/index.js';
import type { Occurrence } from '../execution-events/index.js';

/**
 * Active time: the time that an execution spent in the status `running`. Pauses, long timers, and waits for signals or
 * children do not count.
 */
export interface ActiveTime {
  readonly limitMs: number;
  /** Active time up to the last event, in milliseconds. */
  readonly usedMs: number;
  /** Time of the last event in epoch milliseconds; null while active time does not increase. */
  readonly since: number | null;
  /** Deadline of the execution in epoch milliseconds; null if the execution has no deadline. */
  readonly deadlineAt: number | null;
}

/**
 * Returns the active time after an event. The time since the previous event counts if the execution was
 * running. The time between the previous event and a recovery does not count, because the process crashed at
 * an unknown time.
 * @param before active time before the event; null if the execution has none
 * @param at time of the event in epoch milliseconds
 * @param status status of the execution after the event
 * @returns null if the execution has not started, or if its timeout also counts pauses and waits
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

/**
 * Returns the time at which the active time reaches its limit, in epoch milliseconds; null while active time does not
 * increase.
 */
export function activeTimeoutAt({ limitMs, usedMs, since }: ActiveTime): number | null {
  return since === null ? null : since + Math.max(0, limitMs - usedMs);
}
