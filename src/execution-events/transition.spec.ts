import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, FINAL_EVENT_TYPES } from './event.js';
import {
  executionTransition,
  isOccurrence,
  isOfNode,
  nodeTransition,
  type Occurrence,
  progressIn,
} from './transition.js';

const WAKE_AT = '2026-01-01T00:00:05.000Z';
const PROGRESS = { completed: 1, total: 2 };
const NODE = { node_id: 'charge', node_type: 'http' };
const NODE_ERROR = { code: 'timeout', message: 'Too slow.' };
const EXECUTION_ERROR = { type: 'timeout', message: 'Too slow.', node_id: null };
const WAIT = { ...NODE, status: 'waiting', waiting_for: 'signal', wake_at: WAKE_AT, signal: 'paid' };

const OF_EXECUTIONS = [
  ['workflow.queued', { status: 'queued' }, { status: 'queued' }],
  ['workflow.started', { status: 'running' }, { status: 'running', marks: 'start' }],
  ['workflow.waiting', { status: 'waiting', wake_at: WAKE_AT }, { status: 'waiting', wakeAt: WAKE_AT }],
  ['workflow.paused', { status: 'paused', reason: 'Lunch.' }, { status: 'paused', reason: 'Lunch.' }],
  ['workflow.resumed', { status: 'queued', reason: 'request' }, { status: 'queued' }],
  ['workflow.recovered', { status: 'running', node_ids: [] }, { status: 'running', interrupts: true }],
  ['workflow.completed', { status: 'completed' }, { status: 'completed', marks: 'end' }],
  [
    'workflow.failed',
    { status: 'timed_out', error: EXECUTION_ERROR },
    { status: 'timed_out', reason: 'timeout', error: EXECUTION_ERROR, marks: 'end' },
  ],
  [
    'workflow.cancelled',
    { status: 'cancelled', reason: 'Unwanted.' },
    { status: 'cancelled', reason: 'Unwanted.', marks: 'end' },
  ],
] as const;

const OF_NODES = [
  ['workflow.node.started', { ...NODE, status: 'running' }, { status: 'running' }],
  ['workflow.node.complete', { ...NODE, status: 'completed' }, { status: 'completed' }],
  [
    'workflow.node.failed',
    { ...NODE, status: 'failed', error: NODE_ERROR },
    { status: 'failed', error: NODE_ERROR },
  ],
  [
    'workflow.node.retrying',
    { ...NODE, status: 'retrying', error: NODE_ERROR, retry_at: WAKE_AT },
    { status: 'retrying', error: NODE_ERROR, wakeAt: WAKE_AT },
  ],
  ['workflow.node.skipped', { ...NODE, status: 'skipped' }, { status: 'skipped', attempt: null }],
  ['workflow.node.waiting', WAIT, { status: 'waiting', wakeAt: WAKE_AT, wait: WAIT }],
  ['workflow.node.progress', { ...NODE, status: 'running', fraction: 0.5 }, null],
] as const;

type ExecutionOccurrence = Parameters<typeof executionTransition>[0];
type NodeOccurrence = Parameters<typeof nodeTransition>[0];

function ofExecution(type: string, data: object): ExecutionOccurrence {
  return { type, attempt: null, data } as ExecutionOccurrence;
}

function ofNode(type: string, data: object): NodeOccurrence {
  return { type, attempt: 2, data } as unknown as NodeOccurrence;
}

describe('executionTransition', () => {
  it.each(OF_EXECUTIONS)(
    '`executionTransition` of %s returns the fields that the event sets, and the defaults of all other fields',
    (type, data, change) => {
      expect(executionTransition(ofExecution(type, data), 'waiting')).toEqual({
        reason: null,
        error: null,
        marks: null,
        wakeAt: null,
        interrupts: false,
        ...change,
      });
    },
  );

  it.each(['queued', 'paused', 'running'] as const)(
    '`executionTransition` of a recovery does not change the status %s',
    (before) => {
      expect(executionTransition(ofExecution('workflow.recovered', {}), before).status).toBe(before);
    },
  );

  it('`executionTransition` marks the end of the execution only for final event types', () => {
    const ends = OF_EXECUTIONS.filter(
      ([type, data]) => executionTransition(ofExecution(type, data), 'running').marks === 'end',
    );
    expect(ends.map(([type]) => type)).toEqual([...FINAL_EVENT_TYPES]);
  });

  it('`executionTransition` throws for an unknown event type', () => {
    expect(() => executionTransition(ofExecution('workflow.exploded', {}), 'running')).toThrow(
      'workflow.exploded',
    );
  });
});

describe('nodeTransition', () => {
  it.each(OF_NODES)(
    '`nodeTransition` of %s replaces all fields of the previous status',
    (type, data, change) => {
      const whole = change && { attempt: 2, error: null, wakeAt: null, wait: null, ...change };
      expect(nodeTransition(ofNode(type, data))).toEqual(whole);
    },
  );

  it('`nodeTransition` throws for an unknown event type', () => {
    expect(() => nodeTransition(ofNode('workflow.node.exploded', NODE))).toThrow('workflow.node.exploded');
  });
});

describe('occurrences', () => {
  it('`isOccurrence` accepts events of known types, both of executions and of nodes', () => {
    const occurrences: readonly Occurrence[] = [
      ...OF_EXECUTIONS.map(([type, data]) => ofExecution(type, data)),
      ...OF_NODES.map(([type, data]) => ofNode(type, data)),
    ];
    expect(occurrences.map(({ type }) => type)).toEqual(EVENT_TYPES);
    for (const occurrence of occurrences) {
      expect(isOccurrence(occurrence)).toBe(true);
      expect(isOfNode(occurrence)).toBe(occurrence.type.startsWith('workflow.node.'));
    }
    expect(isOccurrence({ type: 'workflow.exploded' })).toBe(false);
  });

  it('`progressIn` returns the progress in an event, or null if the event has none', () => {
    expect(progressIn(ofNode('workflow.node.complete', { ...NODE, progress: PROGRESS }))).toBe(PROGRESS);
    expect(progressIn(ofNode('workflow.node.started', NODE))).toBeNull();
  });
});
