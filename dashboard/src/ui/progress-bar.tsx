import { classes } from './classes.ts';

interface ProgressBarProps {
  /** Name of the progress bar for screen readers. */
  readonly label: string;
  /** Completed part, from 0 to 1. */
  readonly fraction: number;
  readonly className?: string;
}

export function ProgressBar({ label, fraction, className }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      max={1}
      value={Math.min(Math.max(fraction, 0), 1)}
      className={classes(
        'block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-muted [&::-moz-progress-bar]:bg-running [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:bg-running',
        className,
      )}
    />
  );
}
