import { absoluteTime, duration, relativeTime, useNow } from '../format/index.ts';
import { texts } from '../texts/en/ui.ts';
import { Tooltip } from './tooltip.tsx';

/** Shows a time relative to now, with the exact time in a tooltip. */
export function Time({
  value,
  absent = texts.never,
}: {
  readonly value: string | null;
  readonly absent?: string;
}) {
  const now = useNow();
  if (value === null) return <span className="text-text-3">{absent}</span>;
  return (
    <Tooltip text={absoluteTime(value)}>
      <time dateTime={value} className="num whitespace-nowrap">
        {relativeTime(value, now)}
      </time>
    </Tooltip>
  );
}

interface DurationProps {
  /** Duration in milliseconds; null if the measured activity has not ended. */
  readonly value: number | null;
  /** Start time of an activity that has not ended. The displayed duration of the activity then grows with time. */
  readonly since?: string | null;
}

export function Duration({ value, since = null }: DurationProps) {
  return (
    <span className="mono num whitespace-nowrap">
      {value !== null ? duration(value) : since === null ? '–' : <Running since={since} />}
    </span>
  );
}

function Running({ since }: { readonly since: string }) {
  return duration(useNow('live') - Date.parse(since));
}
