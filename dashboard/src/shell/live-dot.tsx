import { useLiveState } from '../live/index.ts';
import { texts } from '../texts/en/shell.ts';
import { classes } from '../ui/index.ts';

const DOT_STATES = {
  off: [texts.notLive, 'bg-idle'],
  connected: [texts.live, 'bg-completed'],
  disconnected: [texts.reconnecting, 'bg-waiting'],
} as const;

export function LiveDot() {
  const [word, color] = DOT_STATES[useLiveState()];
  return (
    <span className="label flex items-center gap-2 px-2 py-1">
      <span aria-hidden className={classes('size-2 rounded-full', color)} />
      {word}
    </span>
  );
}
