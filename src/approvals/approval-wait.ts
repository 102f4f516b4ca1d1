import { type JournalEvent, stateKey } from '../execution-events/index.js';

/**
 * Whether an event starts the wait of a node's attempt.
 * @param nodeId key of the node in the state of the execution: `ask`, or `each[3].ask` inside a
 * loop
 */
export function isAsking(event: JournalEvent, nodeId: string, attempt: number): boolean {
  if (event.type !== 'workflow.node.waiting' || event.attempt !== attempt) return false;
  const { iteration_of: of = null, iteration } = event.data;
  return stateKey(event.nodeId, of, iteration) === nodeId;
}
