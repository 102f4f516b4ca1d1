import { useEffect, useState, useSyncExternalStore } from 'react';
import { JOURNAL_PAGE, readJournalPage, streamJournal } from '../../api/index.ts';
import { drawClocks } from '../../format/index.ts';
import { useLiveEvents, useLiveState } from '../../live/index.ts';
import { readStored, store } from '../../ui/index.ts';
import { type JournalView, RunJournal } from './run-journal.ts';

/** Delay in milliseconds on a hidden page, which gets no animation frames. */
const HIDDEN_MS = 250;
/** Events within this time of a render, in milliseconds, are rendered together. */
const GATHER_MS = 50;

/** Schedules renders in animation frames, with pauses for scrolling. */
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
 * Reads the journal of an execution and follows new events. The component needs a `key` per
 * execution.
 * @param last the last known sequence
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
    if (event.execution_id !== id) return;
    journal.take(event);
    // Marks the last of the first steps on the overview as done.
    if (readStored('watched-a-run') === null) store('watched-a-run', 'yes');
  });
  // Each reconnection fetches the events that the page missed.
  const live = useLiveState();
  useEffect(() => void journal.catchUp(last), [journal, last]);
  useEffect(() => {
    if (live === 'connected') void journal.catchUp();
  }, [journal, live]);
  return useSyncExternalStore(journal.subscribe, journal.read);
}
