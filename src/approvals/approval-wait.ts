import { type EventOf, type JournalEvent, stateKey } from '../execution-events/index.js';

/**
 * Returns the event that reports that an attempt of a node has started to wait; undefined if the attempt never waited.
 * @param nodeId key of the node in the state of the execution, such as `ask`, or `each[3].ask` inside a loop
 */
export function waitStartOf(
  events: readonly JournalEvent[],
  nodeId: string,
  attempt: number,
): EventOf<'workflow.node.waiting'> | undefined {
  return events.findLast((event): event is EventOf<'workflow.node.waiting'> => {
    if (event.type !== 'workflow.node.waiting' || event.attempt !== attempt) return false;
    const { iteration_of: of = null, iteration } = event.data;
    return stateKey(event.nodeId, of, iteration) === nodeId;
  });
}
