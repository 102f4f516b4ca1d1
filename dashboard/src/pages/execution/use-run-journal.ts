import { useEffect, useState, useSyncExternalStore } from 'react';
import { JOURNAL_PAGE, readJournalPage, streamJournal } from '../../api/index.ts';
import { drawClocks } from '../../format/index.ts';
import { useLiveEvents, useLiveState } from '../../live/index.ts';
import { readStored, store } from '../../ui/index.ts';
import { type JournalView, RunJournal } from './run-journal.ts';

/** Delay before a render of a hidden page, in milliseconds. Browsers run no animation frames for hidden pages. */
const HIDDEN_MS = 250;
/** Minimum time between two renders, in milliseconds. One render shows all events that arrived in this time. */
const GATHER_MS = 50;

/** Schedules renders in animation frames, at least 50 ms apart, so that the browser has time for scrolling. */
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
 * Reads the journal of an execution and follows its live events. The calling component needs a React `key`
 * per execution, because the hook keeps its first journal.
 * @param last last known sequence number of the execution
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
    // A live event completes the getting-started step "Watch an execution live" on the overview page.
    if (readStored('watched-a-run') === null) store('watched-a-run', 'yes');
  });
  // After each reconnection of the WebSocket, the hook fetches the events that the page missed.
  const live = useLiveState();
  useEffect(() => void journal.catchUp(last), [journal, last]);
  useEffect(() => {
    if (live === 'connected') void journal.catchUp();
  }, [journal, live]);
  return useSyncExternalStore(journal.subscribe, journal.read);
}
