import { absoluteTime, duration, relativeTime, useNow } from '../format/index.ts';
import { texts } from '../texts/en/ui.ts';
import { Tooltip } from './tooltip.tsx';

/** A relative time, with the exact time in a tooltip. */
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
  /** Milliseconds; null while the time still counts. */
  readonly value: number | null;
  /** Start of a duration that still counts. */
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
