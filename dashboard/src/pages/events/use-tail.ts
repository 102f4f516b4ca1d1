import { useEffect, useRef, useState } from 'react';
import type { WorkflowEvent } from '../../api/index.ts';
import { useLiveEvents } from '../../live/index.ts';
import { Tail, type TailSnapshot } from './tail.ts';

/** Minimum time between two renders of the event list, in milliseconds. */
const DRAW_EVERY_MS = 150;
/** Maximum number of events buffered while the list is paused. A full buffer drops its oldest event. */
const MOST_WAITING = 1_000;

/**
 * Collects the live events that match a filter, and renders the list at most every 150 ms. A paused list buffers new
 * events.
 * @param onEvent called once for every event, even for an event that does not match the filter
 */
export function useTail(
  paused: boolean,
  fits: (event: WorkflowEvent) => boolean,
  onEvent: (event: WorkflowEvent) => void,
): TailSnapshot & { readonly waiting: number } {
  const [tail] = useState(() => new Tail());
  const [shown, setShown] = useState(() => ({ ...tail.read(), waiting: 0 }));
  const arrived = useRef<WorkflowEvent[]>([]);
  const dirty = useRef(false);
  useLiveEvents((event) => {
    if (!tail.take(event)) return;
    onEvent(event);
    dirty.current = true;
    if (!fits(event)) return;
    arrived.current.push(event);
    if (arrived.current.length > MOST_WAITING) arrived.current.shift();
  });
  useEffect(() => {
    const draw = (): void => {
      if (!dirty.current) return;
      if (!paused) {
        tail.show(arrived.current);
        arrived.current = [];
      }
      dirty.current = false;
      setShown({ ...tail.read(), waiting: arrived.current.length });
    };
    // Forces a render, so that a resumed list shows its buffered events.
    dirty.current = true;
    const timer = setInterval(draw, DRAW_EVERY_MS);
    return () => clearInterval(timer);
  }, [paused, tail]);
  return shown;
}
