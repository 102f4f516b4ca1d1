import type { EventDataByType, EventType } from '../../src/execution-events/index.js';
import type { WireEvent } from '../../src/display/wire-event.js';

/** Time of the first generated event, in epoch milliseconds. */
export const BEGIN = Date.parse('2026-11-21T10:00:00.000Z');

/** Creates an event in the format of the API. @param afterMs milliseconds after `BEGIN` */
export function wireEvent<T extends EventType>(
  sequence: number,
  afterMs: number,
  type: T,
  data: Partial<EventDataByType[T]> & { readonly node_id?: string },
  attempt = 1,
): WireEvent {
  const nodeId = data.node_id ?? null;
  return {
    id: `event-${sequence}`,
    type,
    sequence,
    cursor: sequence.toString(36),
    created_at: new Date(BEGIN + afterMs).toISOString(),
    project_id: 'project',
    workflow_id: 'workflow',
    execution_id: 'execution',
    session_id: null,
    node_id: nodeId,
    attempt: nodeId === null ? null : attempt,
    data,
  } as unknown as WireEvent;
}

/**
 * Events of an execution with two nodes. The process crashed while the second node ran, and another process resumed the
 * execution.
 */
export const LOST_AND_RESUMED: readonly WireEvent[] = [
  wireEvent(1, 0, 'workflow.queued', { status: 'queued' }),
  wireEvent(2, 0, 'workflow.started', { status: 'running' }),
  wireEvent(3, 0, 'workflow.node.started', { node_id: 'order' }),
  wireEvent(4, 500, 'workflow.node.retrying', {
    node_id: 'order',
    error: { code: 'http_status_error', message: 'The server answered 503.' },
    retry_at: new Date(BEGIN + 1500).toISOString(),
    delay_ms: 1000,
  }),
  wireEvent(5, 1500, 'workflow.node.started', { node_id: 'order' }, 2),
  wireEvent(
    6,
    2000,
    'workflow.node.complete',
    { node_id: 'order', status: 'completed', progress: { completed: 1, total: 2 } },
    2,
  ),
  wireEvent(7, 2000, 'workflow.node.started', { node_id: 'price' }),
  wireEvent(8, 4000, 'workflow.recovered', { status: 'running', node_ids: ['price'] }),
  wireEvent(9, 4000, 'workflow.node.started', { node_id: 'price' }),
  wireEvent(10, 5000, 'workflow.node.complete', {
    node_id: 'price',
    status: 'completed',
    progress: { completed: 2, total: 2 },
  }),
  wireEvent(11, 5000, 'workflow.completed', { status: 'completed', progress: { completed: 2, total: 2 } }),
];
