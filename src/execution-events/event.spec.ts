import { describe, expect, it } from 'vitest';
import { assertNever } from './assert-never.js';
import {
  EVENT_TYPES,
  EVENT_VERSIONS,
  FINAL_EVENT_TYPES,
  isEventType,
  isFinalEventType,
  isKnown,
  type JournalEvent,
  upcast,
  versionOf,
} from './event.js';
import { FINAL_STATUSES, isFinal } from './status.js';

describe('event types', () => {
  it('the event types include workflow.started, workflow.node.complete, workflow.completed and workflow.failed', () => {
    for (const type of [
      'workflow.started',
      'workflow.node.complete',
      'workflow.completed',
      'workflow.failed',
    ])
      expect(isEventType(type)).toBe(true);
  });

  it.each(['workflow.node.completed', 'toString', '__proto__', '', 7, null])(
    '`isEventType` is false for %o',
    (type) => {
      expect(isEventType(type)).toBe(false);
    },
  );

  it('`isFinalEventType` is true only for events that end an execution, and `isFinal` only for final statuses', () => {
    expect(EVENT_TYPES.filter(isFinalEventType)).toEqual([...FINAL_EVENT_TYPES]);
    expect((['queued', 'running', 'waiting', 'paused', ...FINAL_STATUSES] as const).filter(isFinal)).toEqual([
      ...FINAL_STATUSES,
    ]);
  });
});

describe('upcast', () => {
  const stored = {
    type: 'workflow.paused',
    version: 1,
    at: 5,
    nodeId: null,
    attempt: null,
    data: { status: 'paused', reason: null },
  };

  it('`upcast` returns an event of the current version unchanged', () => {
    const { version, ...event } = stored;
    expect(version).toBe(EVENT_VERSIONS['workflow.paused']);
    expect(upcast(stored)).toEqual(event);
  });

  it.each([
    { ...stored, type: 'workflow.exploded' },
    { ...stored, version: 99 },
    { ...stored, version: 0 },
  ])('`upcast` returns an unknown event as it is stored: type $type, version $version', (unknown) => {
    const read = upcast(unknown);
    expect(read).toEqual(unknown);
    expect(isKnown(read)).toBe(false);
  });

  it('`upcast` reads version 1 of `workflow.started`, which has no active time', () => {
    const data = {
      status: 'running',
      workflow_version: 1,
      timeout_at: '',
      progress: { completed: 0, total: 1 },
    };
    const start = { ...stored, type: 'workflow.started', data };
    expect([0, 1, 2, 3].map((version) => isKnown(upcast({ ...start, version })))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    const active = { ...start, version: 2, data: { ...data, timeout_counts: 'active' } };
    const versions = [start, active, stored].map((one) => versionOf(upcast(one) as JournalEvent));
    expect(versions).toEqual([1, 2, 1]);
  });

  it('`upcast` returns an event that `isKnown` recognizes', () => {
    const read = upcast(stored);
    expect(isKnown(read)).toBe(true);
  });
});

describe('assertNever', () => {
  it('`assertNever` throws an error that contains the value', () => {
    expect(() => assertNever({ type: 'new' } as never)).toThrow('{"type":"new"}');
  });
});
