import { useEffect, useRef, useState } from 'react';
import type { WorkflowEvent } from '../../api/index.ts';
import { useLiveEvents } from '../../live/index.ts';
import { Tail, type TailSnapshot } from './tail.ts';

/** The list is drawn at most this often, however many events come. */
const DRAW_EVERY_MS = 150;
/** Events that wait while the list stands still; beyond them the oldest are left out of the list. */
const MOST_WAITING = 1_000;

/**
 * The events that fit, drawn in steps. While it is paused they wait.
 * @param onEvent hears of each event once, the fitting and the others
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
    // What waited is drawn when the list goes on.
    dirty.current = true;
    const timer = setInterval(draw, DRAW_EVERY_MS);
    return () => clearInterval(timer);
  }, [paused, tail]);
  return shown;
}
