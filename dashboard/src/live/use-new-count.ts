import { useEffect, useRef, useState } from 'react';
import type { WorkflowEvent } from '../api/client.ts';
import { useLiveEvents } from './live.tsx';

/** Counts come to the page at most this often: rows must not jump at 200 events a second. */
const SETTLE_MS = 250;

/**
 * Counts what came since the list was read, for its "12 new" pill.
 * @param isNew whether an event means one more row
 * @param readAt changes when the list is read again, which begins the count anew
 */
export function useNewCount(isNew: (event: WorkflowEvent) => boolean, readAt: number): number {
  const [shown, setShown] = useState({ readAt, count: 0 });
  const counted = useRef({ readAt, count: 0 });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents((event) => {
    if (!isNew(event)) return;
    const before = counted.current.readAt === readAt ? counted.current.count : 0;
    counted.current = { readAt, count: before + 1 };
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setShown(counted.current);
    }, SETTLE_MS);
  });
  return shown.readAt === readAt ? shown.count : 0;
}
