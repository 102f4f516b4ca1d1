import { describe, expect, it } from 'vitest';
import type { Envelope } from '../journal/index.js';
import { EventSelection, isEventPattern } from './event-selection.js';

const envelope: Envelope = {
  id: 'e1',
  type: 'workflow.failed',
  sequence: 4,
  cursor: 'a.0',
  created_at: '2030-01-01T00:00:00.000Z',
  project_id: 'p',
  workflow_id: 'w',
  execution_id: 'x',
  session_id: null,
  node_id: null,
  attempt: null,
  data: { status: 'timed_out', duration_ms: 1_500 },
};
const selection = (given: Partial<ConstructorParameters<typeof EventSelection>[0]>) =>
  new EventSelection({ events: ['workflow.*'], workflowIds: null, filter: null, ...given });

describe('isEventPattern', () => {
  it.each(['workflow.failed', 'workflow.*', 'workflow.node.*', 'workflow.node.complete'])(
    '`isEventPattern` accepts the pattern %s',
    (text) => {
      expect(isEventPattern(text)).toBe(true);
    },
  );
  it.each(['', '*', 'workflow', 'workflow.', 'workflow.fail*', 'workflow.unknown', 'webhook.test'])(
    '`isEventPattern` refuses the pattern "%s"',
    (text) => {
      expect(isEventPattern(text)).toBe(false);
    },
  );
});

describe('EventSelection', () => {
  it('an event selection matches only the listed event types and prefixes', () => {
    const nodes = selection({ events: ['workflow.node.*', 'workflow.completed'] });
    expect(nodes.mayAccept('w', 'workflow.node.started')).toBe(true);
    expect(nodes.mayAccept('w', 'workflow.completed')).toBe(true);
    expect(nodes.mayAccept('w', 'workflow.failed')).toBe(false);
  });

  it('an event selection matches only events of the listed workflows', () => {
    const one = selection({ workflowIds: ['w'] });
    expect(one.mayAccept('w', 'workflow.failed')).toBe(true);
    expect(one.mayAccept('other', 'workflow.failed')).toBe(false);
  });

  it.each([
    [`event.data.status == 'timed_out'`, true],
    [`event.type == 'workflow.failed' && event.data.duration_ms > 1000`, true],
    [`event.data.status == 'failed'`, false],
    ['event.data.missing > 3', false],
    ['event.type', false],
  ])('the webhook filter %s evaluates to %s', (filter, passes) => {
    expect(selection({ filter }).passes(envelope)).toBe(passes);
  });
});
