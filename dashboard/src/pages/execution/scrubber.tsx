import { Pause, Play } from 'lucide-react';
import { timeOfDay } from '../../format/index.ts';
import { Button, IconButton } from '../../ui/index.ts';
import type { Replay } from './use-replay.ts';

interface ScrubberProps {
  readonly replay: Replay;
  readonly last: number;
}

/** A slider to any event of the execution; the panes show the state after it. */
export function Scrubber({ replay, last }: ScrubberProps) {
  const { place, state, isPlaying } = replay;
  const at = place ?? last;
  return (
    <div className="flex h-10 shrink-0 items-center gap-3 border-t border-border px-5">
      <IconButton
        label={isPlaying ? 'Pause the replay of the journal' : 'Play the journal'}
        disabled={last === 0}
        onClick={isPlaying ? replay.pause : replay.play}
        icon={isPlaying ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      />
      <input
        type="range"
        aria-label="Event of the journal"
        aria-valuetext={place === null ? `Live at event ${last}` : `Event ${at} of ${last}`}
        min={0}
        max={last}
        value={at}
        disabled={last === 0}
        onChange={(event) => replay.goTo(Number(event.target.value))}
        className="h-6 min-w-0 flex-1 accent-accent"
      />
      <span className="mono num whitespace-nowrap text-text-2">
        #{at} of {last}
        {place !== null && at > 0 && <span className="max-md:hidden"> · {timeOfDay(state.at)}</span>}
      </span>
      {place !== null && <Button onClick={() => replay.goTo(null)}>Back to now</Button>}
    </div>
  );
}
