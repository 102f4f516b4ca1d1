import { isOccurrence, isOfNode, isSettled, nodeTransition } from '../../src/execution-events/index.js';
import { paint, type Style, type WireEvent } from '../../src/display/index.js';

/** What the demo has observed: the input from which the verdict is computed. */
export interface Evidence {
  readonly journal: readonly WireEvent[];
  /** Events that the WebSocket delivered, in the order of their arrival, including duplicates. */
  readonly live: readonly WireEvent[];
  readonly nodeIds: readonly string[];
  readonly kills: number;
}

export interface Finding {
  readonly holds: boolean;
  readonly text: string;
}

/**
 * Result of the demo. `good` is true if all findings hold: the journal has no gap, each node has exactly one result,
 * the WebSocket delivered every event, and the execution completed.
 */
export interface Verdict {
  readonly good: boolean;
  readonly findings: readonly Finding[];
}

export function judge(evidence: Evidence): Verdict {
  const findings = [sequences(evidence), results(evidence), seenLive(evidence), ending(evidence)];
  return { good: findings.every(({ holds }) => holds), findings };
}

function sequences({ journal }: Evidence): Finding {
  const holds = journal.length > 0 && journal.every(({ sequence }, index) => sequence === index + 1);
  const listed = journal.map(({ sequence }) => sequence).join(' ');
  return holds
    ? {
        holds,
        text: `The journal has ${journal.length} events, sequences 1 to ${journal.length} without a gap.`,
      }
    : {
        holds,
        text: `The sequences of the journal are not 1, 2, 3 and so on: ${listed === '' ? 'there are none' : listed}.`,
      };
}

function results({ journal, nodeIds }: Evidence): Finding {
  const counts = new Map(nodeIds.map((id) => [id, 0]));
  for (const event of journal)
    if (event.node_id !== null && isResult(event))
      counts.set(event.node_id, (counts.get(event.node_id) ?? 0) + 1);
  const odd = [...counts].filter(([, count]) => count !== 1);
  return odd.length === 0
    ? { holds: true, text: `Each of the ${nodeIds.length} nodes has exactly one result.` }
    : {
        holds: false,
        text: `Not every node has one result: ${odd.map(([id, count]) => `${id} has ${count}`).join(', ')}.`,
      };
}

function isResult(event: WireEvent): boolean {
  if (!isOccurrence(event) || !isOfNode(event)) return false;
  const transition = nodeTransition(event);
  return transition !== null && isSettled(transition.status);
}

function seenLive({ journal, live }: Evidence): Finding {
  const seen = new Map(live.map((event) => [event.id, JSON.stringify(event)]));
  const missed = journal.filter((event) => seen.get(event.id) !== JSON.stringify(event));
  const kept = new Set(journal.map(({ id }) => id));
  const unknown = [...seen.keys()].filter((id) => !kept.has(id));
  const repeated = live.length - seen.size;
  if (missed.length === 0 && unknown.length === 0)
    return {
      holds: true,
      text: `The socket delivered the same ${journal.length} events${repeated === 0 ? '' : `, ${repeated} of them twice`}.`,
    };
  return {
    holds: false,
    text: `The socket and the journal differ: ${missed.length} events of the journal are missing or different, ${unknown.length} events are not in the journal.`,
  };
}

function ending({ journal, kills }: Evidence): Finding {
  const holds = journal.at(-1)?.type === 'workflow.completed';
  const recovered = journal
    .filter(({ type }) => type === 'workflow.recovered')
    .map(({ sequence }) => `#${sequence}`);
  const outcome = holds ? 'completed' : 'did not complete';
  if (kills === 0) return { holds, text: `The execution ${outcome}.` };
  const times = kills === 1 ? 'once' : `${kills} times`;
  const resumed = recovered.length === 0 ? '' : `was recovered at ${recovered.join(' and ')} and `;
  return { holds, text: `The server was killed ${times}; the execution ${resumed}${outcome}.` };
}

/** Formats the verdict of the demo as lines of text: a headline, and one line for each finding. */
export function verdictLines({ good, findings }: Verdict, style: Style): readonly string[] {
  const headline = good
    ? 'Verdict: nothing was lost and nothing happened twice.'
    : 'Verdict: FAILED. See the differences above.';
  const [yes, no] = style.unicode ? ['✓', '✗'] : ['ok', 'NO'];
  return [
    paint(style, 'bold', headline),
    ...findings.map(
      ({ holds, text }) => `  ${paint(style, holds ? 'green' : 'red', holds ? yes : no)} ${text}`,
    ),
  ];
}
