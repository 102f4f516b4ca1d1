import { useEffect, useState, useSyncExternalStore } from 'react';
import { JOURNAL_PAGE, readJournalPage, streamJournal } from '../../api/index.ts';
import { drawClocks } from '../../format/index.ts';
import { useLiveEvents, useLiveState } from '../../live/index.ts';
import { type JournalView, RunJournal } from './run-journal.ts';

/** A hidden page has no frames. */
const HIDDEN_MS = 250;
/** An event alone is shown in the next frame; of many, what comes in so long is shown at once. */
const GATHER_MS = 50;

/** Calls in a frame, and leaves frames between for scrolling. */
function pacer(): (show: () => void) => void {
  let last = 0;
  const draw = (show: () => void): void => {
    requestAnimationFrame(() => {
      last = performance.now();
      show();
      drawClocks();
    });
  };
  return (show) => {
    const since = performance.now() - last;
    if (document.hidden) setTimeout(show, HIDDEN_MS);
    else if (since >= GATHER_MS) draw(show);
    else setTimeout(() => draw(show), GATHER_MS - since);
  };
}

/**
 * The journal of a run, read and then followed. Mount it anew for another run.
 * @param last the sequence that it is known to have come to
 */
export function useRunJournal(id: string, last: number): JournalView {
  const [journal] = useState(
    () =>
      new RunJournal({
        pageSize: JOURNAL_PAGE,
        readUpTo: (after, upTo, take) => streamJournal(id, after, upTo, take),
        readPage: (after) => readJournalPage(id, after),
        schedule: pacer(),
      }),
  );
  useLiveEvents((event) => {
    if (event.execution_id === id) journal.take(event);
  });
  // Each connection may have come after events that nobody heard: what is missing is read.
  const live = useLiveState();
  useEffect(() => void journal.catchUp(last), [journal, last]);
  useEffect(() => {
    if (live === 'connected') void journal.catchUp();
  }, [journal, live]);
  return useSyncExternalStore(journal.subscribe, journal.read);
}
