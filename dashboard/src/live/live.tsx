import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { WorkflowEvent } from '../api/client.ts';
import { LiveFeed, type LiveState } from './live-feed.ts';

const Feed = createContext<LiveFeed | null>(null);

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const [feed] = useState(() => new LiveFeed());
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  return <Feed value={feed}>{children}</Feed>;
}

/** Calls `reader` for every live event while the component is mounted. */
export function useLiveEvents(reader: (event: WorkflowEvent) => void): void {
  const feed = useFeed();
  const latest = useRef(reader);
  useEffect(() => {
    latest.current = reader;
  });
  useEffect(() => feed.listen((event) => latest.current(event)), [feed]);
}

export function useLiveState(): LiveState {
  const feed = useFeed();
  return useSyncExternalStore(feed.watch, feed.readState);
}

/** Returns the event feed, for components that simulate a network failure on it. */
export function useLiveFeed(): Pick<LiveFeed, 'cut' | 'readCursor'> {
  return useFeed();
}

function useFeed(): LiveFeed {
  const feed = useContext(Feed);
  if (feed === null) throw new Error('Hooks for live events must be called inside a LiveProvider.');
  return feed;
}
