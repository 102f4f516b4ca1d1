import { useEffect, useRef, useState } from 'react';
import type { WorkflowEvent } from '../api/client.ts';
import { useLiveEvents } from './live.tsx';

/** Minimum interval between two updates of the displayed count, in milliseconds. */
const SETTLE_MS = 250;

/**
 * Counts the rows that live events have added to a list since its last fetch.
 * @param isNew returns whether an event adds a row to the list
 * @param readAt time of the last fetch; a new value resets the count to 0
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
