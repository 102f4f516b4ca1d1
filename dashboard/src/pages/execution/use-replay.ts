import { useEffect, useMemo, useState } from 'react';
import type { JournalView } from './run-journal.ts';
import { fold, NOTHING, type RunState } from './run-state.ts';

const STEP_MS = 120;
/** A long journal is played in as many steps. */
const STEPS = 120;

export interface Replay {
  /** The run as it was at the place of the scrubber. */
  readonly state: RunState;
  /** The sequence that is shown; null while the page is live. */
  readonly place: number | null;
  readonly isPlaying: boolean;
  /** Shows the run as it was after an event; null is live. */
  readonly goTo: (sequence: number | null) => void;
  readonly play: () => void;
  readonly pause: () => void;
}

/** Goes through the journal of a run, forth and back. */
export function useReplay({ events, state }: JournalView): Replay {
  const [place, setPlace] = useState<number | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const last = events.length;
  const shown = useMemo(
    () => (place === null ? state : fold(NOTHING, events.slice(0, place))),
    [place, events, state],
  );
  useEffect(() => {
    if (!isPlaying) return;
    const step = Math.max(1, Math.round(last / STEPS));
    const timer = setInterval(
      () => setPlace((before) => (before === null ? null : Math.min(before + step, last))),
      STEP_MS,
    );
    return () => clearInterval(timer);
  }, [isPlaying, last]);
  if (isPlaying && (place === null || place >= last)) setPlaying(false);
  return {
    state: shown,
    place,
    isPlaying,
    goTo: (sequence) => {
      setPlaying(false);
      setPlace(sequence);
    },
    play: () => {
      setPlace((before) => (before === null || before >= last ? 0 : before));
      setPlaying(true);
    },
    pause: () => setPlaying(false),
  };
}
