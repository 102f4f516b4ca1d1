import { Pause, Play } from 'lucide-react';
import { timeOfDay } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { Button, IconButton } from '../../ui/index.ts';
import type { Replay } from './use-replay.ts';

interface ScrubberProps {
  readonly replay: Replay;
  /** Number of loaded events. */
  readonly last: number;
  /** Number of events of the execution. */
  readonly total: number;
}

/** Slider for the replay of an execution. Each position of the slider shows the state after one event. */
export function Scrubber({ replay, last, total }: ScrubberProps) {
  const { place, state, isPlaying } = replay;
  const at = place ?? last;
  return (
    <div className="flex h-10 shrink-0 items-center gap-3 border-t border-border px-5">
      <IconButton
        label={isPlaying ? texts.pausePlayback : texts.startPlayback}
        disabled={last === 0}
        onClick={isPlaying ? replay.pause : replay.play}
        icon={isPlaying ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      />
      <input
        type="range"
        aria-label={texts.playbackPosition}
        aria-valuetext={place === null ? texts.liveAtEvent(last) : texts.eventOf(at, last)}
        min={0}
        max={last}
        value={at}
        disabled={last === 0}
        onChange={(event) => replay.goTo(Number(event.target.value))}
        className="h-6 min-w-0 flex-1 accent-accent"
      />
      {last > 0 && (
        <span
          className="mono num whitespace-nowrap text-text-2"
          // Reserves the width of the last event number. Otherwise the text would move while the events are loading.
          style={{ minWidth: `${texts.eventPosition(total, total).length}ch` }}
        >
          {texts.eventPosition(at, last)}
          {place !== null && at > 0 && <span className="max-md:hidden"> · {timeOfDay(state.at)}</span>}
        </span>
      )}
      {place !== null && <Button onClick={() => replay.goTo(null)}>{texts.backToLive}</Button>}
    </div>
  );
}
