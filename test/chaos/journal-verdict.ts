/** What the REST API says of one event; the envelope of the contract. */
export interface SeenEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly node_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const SETTLED = ['workflow.node.complete', 'workflow.node.failed', 'workflow.node.skipped'];
const FINAL = ['workflow.completed', 'workflow.failed', 'workflow.cancelled'];

/** Everything that is wrong with an execution's journal: gaps, a result twice, something after the end. */
export function journalFaults(events: readonly SeenEvent[], nodeIds: readonly string[]): readonly string[] {
  const faults: string[] = [];
  events.forEach(({ sequence }, index) => {
    if (sequence !== index + 1) faults.push(`event ${index + 1} has sequence ${sequence}`);
  });
  if (new Set(events.map(({ id }) => id)).size !== events.length) faults.push('two events have the same id');
  for (const nodeId of nodeIds) {
    const results = events.filter((event) => event.node_id === nodeId && SETTLED.includes(event.type)).length;
    if (results !== 1) faults.push(`node ${nodeId} has ${results} results`);
  }
  const finals = events.filter(({ type }) => FINAL.includes(type)).length;
  if (finals !== 1) faults.push(`there are ${finals} final events`);
  if (!FINAL.includes(events.at(-1)?.type ?? '')) faults.push(`the last event is ${events.at(-1)?.type}`);
  return faults;
}
