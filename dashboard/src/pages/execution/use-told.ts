import { useEffect, useRef } from 'react';
import { STATUSES, useCalmAnnounce } from '../../ui/index.ts';
import type { GraphNode } from './run-graph.ts';
import type { JournalView } from './run-journal.ts';

/** Events that are announced to screen readers. */
const WORTH: Readonly<Record<string, string>> = {
  'workflow.node.complete': 'is done',
  'workflow.node.failed': 'failed',
  'workflow.node.retrying': 'failed and is tried again',
  'workflow.node.waiting': 'waits',
};

/**
 * Announces new events to screen readers, at most one sentence every two seconds. Events before the page opened are not
 * announced.
 */
export function useTold({ events, state, isRead }: JournalView, graph: readonly GraphNode[]): void {
  const say = useCalmAnnounce();
  const told = useRef<number | null>(null);
  useEffect(() => {
    if (!isRead) return;
    const from = told.current;
    told.current = events.length;
    if (from === null || from === events.length) return;
    if (state.endedAt !== null) {
      say(`The run has ended: ${STATUSES[state.status].word}.`);
      return;
    }
    const latest = events.slice(from).findLast(({ type }) => WORTH[type] !== undefined);
    if (latest === undefined) return;
    const name = graph.find(({ id }) => id === latest.node_id)?.name ?? latest.node_id;
    const progress =
      state.progress === null ? '' : ` ${state.progress.completed} of ${state.progress.total} nodes done.`;
    say(`${name} ${WORTH[latest.type]}.${progress}`);
  }, [events, state, isRead, graph, say]);
}
