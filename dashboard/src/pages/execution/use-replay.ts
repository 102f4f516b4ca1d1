import { useCallback, useEffect, useMemo, useState } from 'react';
import { RunHistory } from './run-history.ts';
import type { JournalView } from './run-journal.ts';
import type { RunState } from './run-state.ts';

const STEP_MS = 120;
/** Approximate number of animation steps in which a long journal is replayed. */
const STEPS = 120;

export interface Replay {
  readonly state: RunState;
  /** Sequence number of the displayed event; null if the page shows the live state. */
  readonly place: number | null;
  readonly isPlaying: boolean;
  readonly goTo: (sequence: number | null) => void;
  readonly play: () => void;
  readonly pause: () => void;
}

export function useReplay({ events, state }: JournalView): Replay {
  const [place, setPlace] = useState<number | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [history] = useState(() => new RunHistory());
  const last = events.length;
  const shown = useMemo(
    () => (place === null ? state : history.at(events, place)),
    [place, events, state, history],
  );
  const goTo = useCallback((sequence: number | null): void => {
    setPlaying(false);
    setPlace(sequence);
  }, []);
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
    goTo,
    play: () => {
      setPlace((before) => (before === null || before >= last ? 0 : before));
      setPlaying(true);
    },
    pause: () => setPlaying(false),
  };
}
