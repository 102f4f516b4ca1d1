import { useEffect, useRef, useState } from 'react';
import type { WorkflowEvent } from '../api/client.ts';
import { useLiveEvents } from './live.tsx';

/** Minimum interval between updates of the count in milliseconds. */
const SETTLE_MS = 250;

/**
 * Counts new rows since the last fetch of a list.
 * @param isNew whether an event adds a row
 * @param readAt time of the last fetch; a change resets the count
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
