import { useEffect, useRef } from 'react';
import { texts } from '../../texts/en/execution.ts';
import { STATUSES, useCalmAnnounce } from '../../ui/index.ts';
import type { GraphNode } from './run-graph.ts';
import type { JournalView } from './run-journal.ts';

/** Event types that are announced to screen readers, with the announced words. */
const ANNOUNCED_EVENTS: Readonly<Record<string, string>> = {
  'workflow.node.complete': texts.nodeCompleted,
  'workflow.node.failed': texts.failedWord,
  'workflow.node.retrying': texts.nodeRetrying,
  'workflow.node.waiting': texts.waits,
};

/** Announces new events of an execution to screen readers, with at most one announcement every two seconds. */
export function useEventAnnouncements(
  { events, state, isRead }: JournalView,
  graph: readonly GraphNode[],
): void {
  const say = useCalmAnnounce();
  const announced = useRef<number | null>(null);
  useEffect(() => {
    if (!isRead) return;
    const from = announced.current;
    announced.current = events.length;
    if (from === null || from === events.length) return;
    if (state.endedAt !== null) {
      say(texts.executionEnded(STATUSES[state.status].word));
      return;
    }
    const latest = events.slice(from).findLast(({ type }) => ANNOUNCED_EVENTS[type] !== undefined);
    if (latest === undefined) return;
    const name = graph.find(({ id }) => id === latest.node_id)?.name ?? latest.node_id;
    const progress =
      state.progress === null ? '' : texts.nodesDoneSuffix(state.progress.completed, state.progress.total);
    say(`${name} ${ANNOUNCED_EVENTS[latest.type]}.${progress}`);
  }, [events, state, isRead, graph, say]);
}
