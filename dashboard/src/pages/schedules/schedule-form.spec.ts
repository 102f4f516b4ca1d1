import { describe, expect, it } from 'vitest';
import { localText } from '../../format/time.ts';
import { draftOf, fieldsOf, instantText } from './schedule-form.ts';

const NEW = draftOf(undefined, 'Europe/Berlin');

describe('fieldsOf', () => {
  it('the schedule form sends the selected kind of timing, and null for the other kinds', () => {
    expect(fieldsOf({ ...NEW, kind: 'every', everyCount: '2', everyUnit: 60 })).toMatchObject({
      cron: null,
      every_seconds: 120,
      at: null,
    });
    expect(fieldsOf({ ...NEW, cron: ' @daily ' })).toMatchObject({
      cron: '@daily',
      every_seconds: null,
      time_zone: 'Europe/Berlin',
    });
  });

  it('the schedule form omits an empty name', () => {
    expect(fieldsOf(NEW)).not.toHaveProperty('name');
  });

  it('the schedule form sends the text of a number field unchanged if the text is not a number', () => {
    expect(fieldsOf({ ...NEW, kind: 'every', everyCount: 'two', jitterSeconds: '' })).toMatchObject({
      every_seconds: 'two',
      jitter_seconds: '',
    });
  });

  it('the schedule form accepts JSON or an empty text as input, and refuses invalid JSON', () => {
    expect(fieldsOf({ ...NEW, input: '[1]' })).toMatchObject({ input: [1] });
    expect(fieldsOf(NEW)).toMatchObject({ input: null });
    expect(fieldsOf({ ...NEW, input: '{ "a": ' })).toBeUndefined();
  });
});

it('a timestamp in the schedule form survives the conversion to a local date and time and back', () => {
  const instant = '2026-11-25T08:30:00.000Z';
  expect(instantText(localText(instant))).toBe(instant);
  expect(instantText('')).toBe('');
});

it('the schedule form shows the timing of an existing schedule', () => {
  const schedule = {
    id: 's',
    project_id: 'p',
    workflow_id: 'w',
    name: 'Report',
    cron: null,
    every_seconds: 7_200,
    at: null,
    time_zone: 'UTC',
    input: { a: 1 },
    metadata: {},
    priority: 5,
    overlap: 'queue',
    catch_up_seconds: 60,
    jitter_seconds: 5,
    starts_at: null,
    ends_at: null,
    status: 'active',
    next_at: null,
    last_fire: null,
    fired_total: 0,
    skipped_total: 0,
    created_at: '2026-11-24T00:00:00.000Z',
    updated_at: '2026-11-24T00:00:00.000Z',
  } as const;
  const draft = draftOf(schedule, 'Europe/Berlin');
  expect(draft).toMatchObject({ kind: 'every', everyCount: '2', everyUnit: 3_600 });
  expect(fieldsOf(draft)).toEqual({
    name: 'Report',
    cron: null,
    every_seconds: 7_200,
    at: null,
    time_zone: 'UTC',
    input: { a: 1 },
    overlap: 'queue',
    catch_up_seconds: 60,
    jitter_seconds: 5,
  });
});

it('the schedule form keeps the seconds of a stored time that the user does not change', () => {
  const storedAt = '2026-11-25T09:00:45.000Z';
  const draft = { ...NEW, kind: 'once', at: localText(storedAt), storedAt } as const;
  expect(fieldsOf(draft)).toMatchObject({ at: storedAt });
  const later = '2026-11-25T09:01:00.000Z';
  expect(fieldsOf({ ...draft, at: localText(later) })).toMatchObject({ at: later });
});
