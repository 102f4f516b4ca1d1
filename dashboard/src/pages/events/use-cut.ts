import { useCallback, useEffect, useRef, useState } from 'react';
import { answer, readEvents } from '../../api/index.ts';
import { useLiveFeed } from '../../live/index.ts';

/** Milliseconds for which a simulated outage keeps the WebSocket closed. */
const AWAY_MS = 3_000;

export type CutState =
  | { readonly kind: 'whole' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'resuming'; readonly missed: number; readonly brought: number }
  | { readonly kind: 'resumed'; readonly missed: number }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Cut {
  readonly state: CutState;
  /** Closes the WebSocket for 3 s. The call has no effect while the live feed has no cursor. */
  readonly cut: () => void;
  /** Records the id of a received event. The page must call `saw` for every event. */
  readonly saw: (id: string) => void;
}

/**
 * Simulates an outage of the WebSocket. An HTTP request lists the missed events, and `state` tells whether the resumed
 * feed has delivered all of them.
 */
export function useCut(): Cut {
  const feed = useLiveFeed();
  const [state, setState] = useState<CutState>({ kind: 'whole' });
  const open = useRef<Set<string>>(new Set());
  const missed = useRef(0);
  const reconnect = useRef<() => void>(() => undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      reconnect.current();
    },
    [],
  );
  const saw = useCallback((id: string) => {
    if (!open.current.delete(id)) return;
    const left = open.current.size;
    setState(
      left === 0
        ? { kind: 'resumed', missed: missed.current }
        : { kind: 'resuming', missed: missed.current, brought: missed.current - left },
    );
  }, []);
  const cut = (): void => {
    const cursor = feed.readCursor();
    if (cursor === undefined) return;
    const connect = feed.cut();
    reconnect.current = connect;
    setState({ kind: 'cut' });
    const resume = async (): Promise<void> => {
      try {
        open.current = new Set(await idsAfter(cursor));
        missed.current = open.current.size;
        setState(
          missed.current === 0
            ? { kind: 'resumed', missed: 0 }
            : { kind: 'resuming', missed: missed.current, brought: 0 },
        );
      } catch (error) {
        setState({ kind: 'failed', error });
      } finally {
        reconnect.current = () => undefined;
        connect();
      }
    };
    timer.current = setTimeout(() => void resume(), AWAY_MS);
  };
  return { state, cut, saw };
}

async function idsAfter(cursor: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let after = cursor;
  for (;;) {
    const { data, pagination } = await answer(readEvents({ query: { after, limit: 100 } }));
    ids.push(...data.map(({ id }) => id));
    if (!pagination.has_more) return ids;
    after = pagination.next_cursor;
  }
}
