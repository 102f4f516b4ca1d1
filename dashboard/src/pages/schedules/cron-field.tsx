import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { cronPreviewQuery } from '../../api/index.ts';
import { dateFormat } from '../../format/index.ts';
import { texts } from '../../texts/en/schedules.ts';
import { Field, Input, messageOf } from '../../ui/index.ts';
import { cronText } from './timing-text.ts';

const PAUSE_MS = 250;
const SHOWN_INSTANTS = 5;

interface CronFieldProps {
  readonly cron: string;
  readonly timeZone: string;
  readonly onChange: (cron: string) => void;
  /** Error of the cron expression at the last submit of the form; undefined without an error. */
  readonly error: string | undefined;
}

/** Field for a cron expression, with a description in words and a preview of the next times. */
export function CronField({ cron, timeZone, onChange, error }: CronFieldProps) {
  const typed = `${cron.trim()}\n${timeZone.trim()}`;
  const [expression = '', zone = ''] = usePaused(typed, PAUSE_MS).split('\n');
  const preview = useQuery({
    ...cronPreviewQuery(expression, zone, SHOWN_INSTANTS),
    enabled: expression !== '' && zone !== '',
  });
  // The preview is hidden while it belongs to an earlier cron expression or time zone.
  const isCurrent = typed === `${expression}\n${zone}`;
  const refusal =
    isCurrent && expression !== '' && preview.error !== null ? messageOf(preview.error) : undefined;
  const instants = isCurrent ? preview.data?.data : undefined;
  return (
    <div className="flex flex-col gap-2">
      <Field label={texts.cronExpression} required hint={texts.cronHint} error={error ?? refusal}>
        <Input
          className="mono"
          value={cron}
          spellCheck={false}
          autoComplete="off"
          placeholder="0 9 * * MON-FRI"
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
      <div aria-live="polite" className="min-h-24 text-small text-text-2">
        {instants !== undefined && (
          <>
            <p className="font-medium text-text">{cronText(expression) ?? texts.nextTimes}</p>
            <ol aria-label={texts.nextTimes}>
              {instants.map((instant) => (
                <li key={instant} className="num">
                  <time dateTime={instant}>{inZone(instant, zone)}</time>
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
    </div>
  );
}

/** Formats an instant in a time zone, such as `Wed, Nov 25, 2026, 09:00:00 GMT+1`. */
function inZone(instant: string, timeZone: string): string {
  return dateFormat({
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(instant));
}

/** The last text that did not change for `ms` milliseconds. */
function usePaused(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
}
