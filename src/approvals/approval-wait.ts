import { type JournalEvent, stateKey } from '../execution-events/index.js';

/**
 * Whether an event reports that an attempt of a node has started to wait.
 * @param nodeId key of the node in the state of the execution, such as `ask`, or `each[3].ask` inside a loop
 */
export function isAsking(event: JournalEvent, nodeId: string, attempt: number): boolean {
  if (event.type !== 'workflow.node.waiting' || event.attempt !== attempt) return false;
  const { iteration_of: of = null, iteration } = event.data;
  return stateKey(event.nodeId, of, iteration) === nodeId;
}
