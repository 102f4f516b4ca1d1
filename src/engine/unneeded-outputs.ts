import type { Plan } from './plan.js';
import { type ExecutionState, type NodeChanges, type NodeState, nodeState } from './state.js';
import { isSettled } from '../execution-events/index.js';

/**
 * Removes the outputs of nodes from the state if no expression can read the outputs any more. An output is unneeded if
 * all nodes that need it have ended and the output of the execution does not use it. The journal still contains the
 * removed outputs.
 */
export function withoutUnneededOutputs(plan: Plan, state: ExecutionState): ExecutionState {
  const needed = new Set(plan.output?.references.nodes ?? plan.last.map(({ id }) => id));
  for (const { id, needs } of plan.order)
    if (!isSettled(nodeState(state, id).status)) for (const need of needs) needed.add(need);
  const changes = new Map<string, NodeState>();
  for (const { id } of plan.order) {
    const node = nodeState(state, id);
    if (isSettled(node.status) && node.output !== null && !needed.has(id))
      changes.set(id, { ...node, output: null });
  }
  return changes.size === 0 ? state : { ...state, nodes: state.nodes.with(changes satisfies NodeChanges) };
}
