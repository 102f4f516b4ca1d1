/** An event as the REST API returns it. */
export interface SeenEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly node_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const SETTLED = ['workflow.node.complete', 'workflow.node.failed', 'workflow.node.skipped'];
export const FINAL_EVENTS = ['workflow.completed', 'workflow.failed', 'workflow.cancelled'];

/**
 * Checks the events of one execution for gaps, duplicate ids, missing or repeated node results, and a wrong end.
 * @param nodeIds ids of nodes that must have exactly one result
 * @returns one text for each violation
 */
export function journalFaults(events: readonly SeenEvent[], nodeIds: readonly string[]): readonly string[] {
  const faults: string[] = [];
  events.forEach(({ sequence }, index) => {
    if (sequence !== index + 1) faults.push(`event ${index + 1} has sequence ${sequence}`);
  });
  if (new Set(events.map(({ id }) => id)).size !== events.length) faults.push('two events have the same id');
  const results = new Map<string, number>(nodeIds.map((nodeId) => [nodeId, 0]));
  for (const event of events) {
    if (!SETTLED.includes(event.type)) continue;
    const place = placeOf(event);
    results.set(place, (results.get(place) ?? 0) + 1);
  }
  for (const [place, count] of results) if (count !== 1) faults.push(`node ${place} has ${count} results`);
  const finals = events.filter(({ type }) => FINAL_EVENTS.includes(type)).length;
  if (finals !== 1) faults.push(`there are ${finals} final events`);
  if (!FINAL_EVENTS.includes(events.at(-1)?.type ?? ''))
    faults.push(`the last event is ${events.at(-1)?.type}`);
  return faults;
}

/** Key of the node of an event. A node inside a loop has a separate key for each item. */
function placeOf({ node_id: nodeId, data }: SeenEvent): string {
  const { iteration, iteration_of: loop } = data;
  return typeof iteration === 'number' ? `${String(loop)}[${iteration}].${nodeId}` : String(nodeId);
}
