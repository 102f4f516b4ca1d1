import { endsAtOf } from '../../execution-store/index.js';
import { type ExplainedNode, nodesOf } from './explained-node.js';
import { type Explanation, type ExplanationFacts, lastEventAt, explanationOf } from './explanation-facts.js';

/** Explains a waiting execution by the node whose timer fires first. Null if no node waits. */
export function asleep(facts: ExplanationFacts): Explanation | null {
  const waiting = nodesOf(facts).filter(({ status }) => status === 'retrying' || status === 'waiting');
  const [first] = waiting.toSorted((a, b) => rank(a) - rank(b));
  if (first === undefined) return null;
  const cause = causeOf(first);
  return explanationOf(facts, {
    cause,
    message: `The node "${first.nodeId}" ${WAITS[cause]}${nameOf(first)}.`,
    since: first.since ?? lastEventAt(facts),
    holder: childOf(first),
    // A wait without a time limit ends at the timeout of the execution at the latest.
    frees: { how: FREES[cause], at: first.wakeAt ?? endsAtOf(facts.execution.progress) },
    details: { node_id: first.nodeId, attempt: first.attempt, ...first.details },
  });
}

type WaitCause = 'retry_backoff' | 'timer' | 'signal' | 'child' | 'approval';

const WAITS: Readonly<Record<WaitCause, string>> = {
  retry_backoff: 'failed and waits for its next attempt',
  timer: 'waits until a given time',
  signal: 'waits for a signal',
  child: 'waits for its child execution',
  approval: 'waits for an approval',
};

const FREES: Readonly<Record<WaitCause, string>> = {
  retry_backoff: 'The start of the next attempt.',
  timer: 'The end of the waiting time.',
  signal: 'The arrival of the signal, or the timeout of the wait.',
  child: 'The end of the child execution.',
  approval: 'A decision on the approval, or the timeout of the wait.',
};

function causeOf({ waitingFor, isApproval }: ExplainedNode): WaitCause {
  if (waitingFor === 'retry') return 'retry_backoff';
  if (waitingFor === 'child') return 'child';
  if (waitingFor === 'signal') return isApproval ? 'approval' : 'signal';
  return 'timer';
}

function nameOf({ details: { signal } }: ExplainedNode): string {
  return typeof signal === 'string' ? ` "${signal}"` : '';
}

function childOf({ waitingFor, details }: ExplainedNode): Explanation['holder'] {
  const id = details['child_execution_id'];
  return waitingFor === 'child' && typeof id === 'string' ? { type: 'execution', id } : null;
}

function rank({ wakeAt }: ExplainedNode): number {
  return wakeAt === null ? Number.POSITIVE_INFINITY : Date.parse(wakeAt);
}
