import { describe, expect, it } from 'vitest';
import { type ActiveTime, activeTimeAfter as timeAfter, activeTimeoutAt } from './active-time.js';
import type { EventDataByType, JournalEvent } from '../execution-events/index.js';
import type { ExecutionStatus } from '../execution-events/index.js';

const PROGRESS = { completed: 0, total: 1 };

function started(own: Partial<EventDataByType['workflow.started']> = {}): JournalEvent {
  const limits = { timeout_at: new Date(11_000).toISOString(), ...own };
  const data = { status: 'running', workflow_version: 1, progress: PROGRESS, ...limits } as const;
  return { type: 'workflow.started', at: 1_000, nodeId: null, attempt: null, data };
}
function paused(at: number): JournalEvent {
  const data = { status: 'paused', reason: null } as const;
  return { type: 'workflow.paused', at, nodeId: null, attempt: null, data };
}
function resumed(at: number): JournalEvent {
  const data = { status: 'running', reason: 'request' } as const;
  return { type: 'workflow.resumed', at, nodeId: null, attempt: null, data };
}
function recovered(at: number): JournalEvent {
  const data = { status: 'running', cause: 'crash', recoveries: 1, node_ids: [] } as const;
  return { type: 'workflow.recovered', at, nodeId: null, attempt: null, data };
}

const CLOCK: ActiveTime = { limitMs: 10_000, usedMs: 0, since: 1_000, deadlineAt: null };

function activeTimeAfter(
  before: ActiveTime | null,
  event: JournalEvent,
  status: ExecutionStatus,
): ActiveTime | null {
  return timeAfter(before, event, event.at, status);
}

describe('active time', () => {
  it('`activeTimeAfter` returns null if the timeout counts elapsed time instead of active time', () => {
    expect(activeTimeAfter(null, started(), 'running')).toBeNull();
    expect(activeTimeAfter(null, paused(2_000), 'paused')).toBeNull();
  });

  it('active time counts from the event `workflow.started`, and includes the deadline of this event', () => {
    expect(activeTimeAfter(null, started({ timeout_counts: 'active' }), 'running')).toEqual(CLOCK);
    const deadline_at = new Date(99_000).toISOString();
    const begun = activeTimeAfter(null, started({ timeout_counts: 'active', deadline_at }), 'running');
    expect(begun).toEqual({ ...CLOCK, deadlineAt: 99_000 });
  });

  it('active time does not include a pause', () => {
    const stopped = activeTimeAfter(CLOCK, paused(4_000), 'paused');
    expect(stopped).toEqual({ ...CLOCK, usedMs: 3_000, since: null });
    expect(activeTimeAfter(stopped, resumed(900_000), 'running')).toEqual({
      ...CLOCK,
      usedMs: 3_000,
      since: 900_000,
    });
  });

  it('active time does not include the time between the last event of a crashed process and the recovery', () => {
    expect(activeTimeAfter(CLOCK, recovered(900_000), 'running')).toEqual({ ...CLOCK, since: 900_000 });
  });

  it('active time does not decrease if the clock goes backwards', () => {
    expect(activeTimeAfter(CLOCK, paused(500), 'paused')).toEqual({ ...CLOCK, since: null });
  });

  it('`activeTimeoutAt` returns the time at which the active time reaches its limit, or null while active time does not count', () => {
    expect(activeTimeoutAt({ ...CLOCK, usedMs: 4_000, since: 7_000 })).toBe(13_000);
    expect(activeTimeoutAt({ ...CLOCK, usedMs: 12_000, since: 7_000 })).toBe(7_000);
    expect(activeTimeoutAt({ ...CLOCK, since: null })).toBeNull();
  });
});
