import type { ExecutionState, NodeState, Plan } from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import { isoTime } from '../../platform/index.js';

export interface ExplainedNode {
  readonly nodeId: string;
  readonly status: 'running' | 'retrying' | 'waiting' | 'ready';
  readonly attempt: number;
  /** ISO 8601 time at which the node started or began to wait; null if the node is ready but has not started. */
  readonly since: string | null;
  /**
   * What the node waits for, for example `retry`, `timer`, `signal` or `child`; null if the node is running or ready.
   */
  readonly waitingFor: string | null;
  /** ISO 8601 time at which a timer wakes the node; null if no timer wakes the node. */
  readonly wakeAt: string | null;
  readonly isApproval: boolean;
  /**
   * Details of what the node waits for. A retrying node has the error of its last attempt. A waiting node has the
   * remaining fields of its event `workflow.node.waiting`, without the approval links.
   */
  readonly details: JsonObject;
}

/**
 * Returns the nodes that are running, retrying, waiting or ready, in topological order. Nodes inside loops
 * are left out.
 */
export function nodesOf({
  plan,
  state,
  events,
}: {
  readonly plan: Pick<Plan, 'order'>;
  readonly state: ExecutionState;
  readonly events: readonly JournalEvent[];
}): readonly ExplainedNode[] {
  const isDone = (id: string): boolean =>
    ['completed', 'failed', 'skipped'].includes(state.nodes.get(id)?.status ?? 'pending');
  return plan.order.flatMap(({ id, needs }): readonly ExplainedNode[] => {
    const node = state.nodes.get(id);
    if (node === undefined || node.status === 'pending')
      return state.startedAt !== null && needs.every(isDone) ? [ready(id, node)] : [];
    const { status, attempt, wakeAt } = node;
    if (status === 'completed' || status === 'failed' || status === 'skipped') return [];
    const event = events.findLast(
      ({ nodeId, type, data }) =>
        nodeId === id && type !== 'workflow.node.progress' && !('iteration_of' in data),
    );
    const since = event === undefined ? null : isoTime(event.at);
    const common = { nodeId: id, status, attempt, since, wakeAt: wakeAt === null ? null : isoTime(wakeAt) };
    if (status === 'running') return [{ ...common, waitingFor: null, isApproval: false, details: {} }];
    if (status === 'retrying')
      return [{ ...common, waitingFor: 'retry', isApproval: false, details: errorOf(node) }];
    return [{ ...common, ...waitOf(event) }];
  });
}

function ready(nodeId: string, node: NodeState | undefined): ExplainedNode {
  const attempt = (node?.attempt ?? 0) + 1;
  return {
    nodeId,
    status: 'ready',
    attempt,
    since: null,
    waitingFor: null,
    isApproval: false,
    wakeAt: null,
    details: {},
  };
}

function errorOf({ error }: NodeState): JsonObject {
  return error === null ? {} : { error: { code: error.code, message: error.message } };
}

/**
 * Returns what a node waits for, according to its event `workflow.node.waiting`. Fields of new kinds of waits are
 * copied unchanged into `details`.
 */
function waitOf(
  event: JournalEvent | undefined,
): Pick<ExplainedNode, 'waitingFor' | 'details' | 'isApproval'> {
  const data = (event?.data ?? {}) as unknown as JsonObject;
  const { node_id, node_type, status, wake_at, waiting_for, approve_url, reject_url, ...details } = data;
  return {
    waitingFor: typeof waiting_for === 'string' ? waiting_for : 'timer',
    isApproval: approve_url !== undefined,
    details,
  };
}
