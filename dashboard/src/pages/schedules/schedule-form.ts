import type { ScheduleView } from '../../api/index.ts';
import { instantOfLocal, localText } from '../../format/time.ts';
import { intervalOf } from './timing-text.ts';

export type TimingKind = 'cron' | 'every' | 'once';
export type Overlap = ScheduleView['overlap'];

export interface ScheduleDraft {
  readonly workflowId: string;
  readonly name: string;
  readonly kind: TimingKind;
  readonly cron: string;
  readonly timeZone: string;
  readonly everyCount: string;
  readonly everyUnit: number;
  /**
   * Time at which a schedule fires once, in the time zone of the user: `2026-11-25T09:00`, as in a `datetime-local`
   * input.
   */
  readonly at: string;
  /** The stored time, which may have seconds that `at` does not show. Null if the schedule has no such time. */
  readonly storedAt: string | null;
  readonly input: string;
  readonly overlap: Overlap;
  readonly catchUpSeconds: string;
  readonly jitterSeconds: string;
}

/**
 * The initial values of the form for a new or existing schedule.
 * @param zone time zone of a new schedule
 */
export function draftOf(schedule: ScheduleView | undefined, zone: string): ScheduleDraft {
  if (schedule === undefined)
    return {
      workflowId: '',
      name: '',
      kind: 'cron',
      cron: '0 9 * * MON-FRI',
      timeZone: zone,
      everyCount: '1',
      everyUnit: 3_600,
      at: '',
      storedAt: null,
      input: '',
      overlap: 'skip',
      catchUpSeconds: '3600',
      jitterSeconds: '0',
    };
  const interval = intervalOf(schedule.every_seconds ?? 3_600);
  return {
    workflowId: schedule.workflow_id,
    name: schedule.name,
    kind: schedule.cron !== null ? 'cron' : schedule.every_seconds !== null ? 'every' : 'once',
    cron: schedule.cron ?? '',
    timeZone: schedule.time_zone,
    everyCount: String(interval.count),
    everyUnit: interval.unit.value,
    at: schedule.at === null ? '' : localText(schedule.at),
    storedAt: schedule.at,
    input: schedule.input === null ? '' : JSON.stringify(schedule.input, null, 2),
    overlap: schedule.overlap,
    catchUpSeconds: String(schedule.catch_up_seconds),
    jitterSeconds: String(schedule.jitter_seconds),
  };
}

/**
 * The request body for a form. Invalid numbers are sent unchanged, so that the service reports the error to the user.
 * @returns undefined if the input is not valid JSON
 */
export function fieldsOf(draft: ScheduleDraft): Readonly<Record<string, unknown>> | undefined {
  const input = jsonOf(draft.input);
  if (input === undefined) return undefined;
  const name = draft.name.trim();
  const every = figure(draft.everyCount);
  return {
    ...(name === '' ? {} : { name }),
    cron: draft.kind === 'cron' ? draft.cron.trim() : null,
    every_seconds:
      draft.kind !== 'every' ? null : typeof every === 'number' ? every * draft.everyUnit : every,
    at: draft.kind === 'once' ? onceAt(draft) : null,
    time_zone: draft.timeZone.trim(),
    input,
    overlap: draft.overlap,
    catch_up_seconds: figure(draft.catchUpSeconds),
    jitter_seconds: figure(draft.jitterSeconds),
  };
}

/** Returns the stored time unless the user has changed it, because the form shows no seconds. */
function onceAt({ at, storedAt }: ScheduleDraft): string {
  return storedAt !== null && at === localText(storedAt) ? storedAt : instantText(at);
}

function figure(text: string): number | string {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}

/**
 * Converts a local time in the time zone of the user to an ISO timestamp. Invalid text stays unchanged, so that the
 * service reports the error.
 */
export function instantText(local: string): string {
  const instant = instantOfLocal(local);
  return instant === null ? local : new Date(instant).toISOString();
}

function jsonOf(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
