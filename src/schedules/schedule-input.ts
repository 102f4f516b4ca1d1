import { ValidationError } from '../errors/index.js';
import { defined, isoTime } from '../platform/index.js';
import type { ChangeScheduleBody } from './schedule.dto.js';
import type { ScheduleInput } from './schedules.service.js';

/**
 * Converts the body of a request to the fields of a schedule.
 *
 * @throws ValidationError when the request sets several timings, or when `ends_at` is not after `starts_at`
 */
export function scheduleInput(body: ChangeScheduleBody): ScheduleInput {
  const { cron, every_seconds, at, starts_at, ends_at } = body;
  const named = [cron, every_seconds, at].filter((value) => value !== undefined && value !== null);
  if (named.length > 1)
    throw ValidationError.of(
      'cron',
      'exactly_one',
      'cannot be combined with every_seconds or at: set exactly one of them',
    );
  const [startsAt, endsAt] = [instant(starts_at), instant(ends_at)];
  if (typeof startsAt === 'string' && typeof endsAt === 'string' && endsAt <= startsAt)
    throw ValidationError.of('ends_at', 'before_starts_at', 'must be after starts_at');
  return defined({
    name: body.name,
    cron,
    everySeconds: every_seconds,
    at: instant(at),
    timeZone: body.time_zone,
    input: body.input,
    metadata: body.metadata,
    priority: body.priority,
    overlap: body.overlap,
    catchUpSeconds: body.catch_up_seconds,
    jitterSeconds: body.jitter_seconds,
    startsAt,
    endsAt,
  });
}

function instant(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? isoTime(Date.parse(text)) : text;
}
