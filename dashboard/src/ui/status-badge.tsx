import { classes } from './classes.ts';
import { type Status, STATUSES, type StatusTone } from './status.ts';

const TONES: Readonly<Record<StatusTone, string>> = {
  completed: 'bg-completed-soft text-completed',
  failed: 'bg-failed-soft text-failed',
  running: 'bg-running-soft text-running',
  waiting: 'bg-waiting-soft text-waiting',
  'timed-out': 'bg-timed-out-soft text-timed-out',
  idle: 'bg-idle-soft text-idle',
};

export function StatusBadge({ status }: { readonly status: Status }) {
  const { word, tone, icon: Icon } = STATUSES[status];
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-full px-2 text-small font-medium whitespace-nowrap leading-[22px]',
        TONES[tone],
        status === 'skipped' && 'border border-dashed border-text-3',
      )}
    >
      <Icon size={12} aria-hidden />
      {word}
    </span>
  );
}
