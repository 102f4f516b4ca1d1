import { describe, expect, it } from 'vitest';
import { failureGroups } from './failure-groups.js';
import type { FailedRow } from './failures.repository.js';

const row = (id: string, minute: number, more: Partial<FailedRow> = {}): FailedRow => ({
  id,
  workflowId: 'w',
  status: 'failed',
  errorType: 'http_status_error',
  nodeId: 'charge',
  message: `The server answered ${500 + minute}.`,
  finishedAt: `2030-01-01T00:0${minute}:00.000Z`,
  ...more,
});

describe('failureGroups', () => {
  it('`failureGroups` puts failures whose messages differ only in a number into one group with count, times and last message', () => {
    expect(failureGroups([row('b', 2), row('c', 3), row('a', 1)])).toEqual([
      {
        workflowId: 'w',
        nodeId: 'charge',
        errorType: 'http_status_error',
        shape: 'The server answered <number>.',
        message: 'The server answered 503.',
        count: 3,
        firstSeen: '2030-01-01T00:01:00.000Z',
        lastSeen: '2030-01-01T00:03:00.000Z',
        lastExecutionId: 'c',
      },
    ]);
  });

  it('failures with different workflows, nodes, error types or message shapes are in different groups', () => {
    const rows = [
      row('a', 1),
      row('b', 1, { workflowId: 'v' }),
      row('c', 1, { nodeId: null }),
      row('d', 1, { errorType: 'other' }),
      row('e', 1, { message: 'Refused' }),
    ];
    expect(failureGroups(rows)).toHaveLength(5);
  });

  it('`failureGroups` sorts groups by the number of failures, then by the time of the last failure', () => {
    const rows = [row('a', 1, { nodeId: 'x' }), row('b', 2, { nodeId: 'y' }), row('c', 1), row('d', 1)];
    expect(failureGroups(rows).map(({ nodeId }) => nodeId)).toEqual(['charge', 'y', 'x']);
  });

  it('`failureGroups` uses the status as the error type of an execution without an error', () => {
    const rows = [row('a', 1, { errorType: null, message: null, status: 'timed_out' })];
    expect(failureGroups(rows)).toMatchObject([{ errorType: 'timed_out', message: '', shape: '' }]);
  });
});
