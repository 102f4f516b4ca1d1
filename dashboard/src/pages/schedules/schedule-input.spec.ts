import { describe, expect, it } from 'vitest';
import { inputShape } from '../../ui/input-shape.ts';
import { inView, isShownByForm, newInput, readInput, viewOf } from './schedule-input.ts';

const SHAPE = inputShape({
  type: 'object',
  required: ['region'],
  properties: { region: { type: 'string', default: 'north' }, limit: { type: 'integer' } },
});

describe('the input of a schedule', () => {
  it('the schedule input is a form only if that loses no JSON', () => {
    expect(isShownByForm(SHAPE, '')).toBe(true);
    expect(isShownByForm(SHAPE, '{ "limit": 5, "region": "south" }')).toBe(true);
    expect(isShownByForm(SHAPE, '{ "region": "south", "other": 1 }')).toBe(false);
    expect(isShownByForm(SHAPE, '{ "region": "south", "limit": "many" }')).toBe(false);
    expect(isShownByForm(SHAPE, '{ "region": ')).toBe(false);
    expect(viewOf(undefined, newInput(''))).toBe('json');
  });

  it('an untouched input form contains the defaults of the schema', () => {
    expect(JSON.parse(readInput(SHAPE, newInput('')).text)).toEqual({ region: 'north' });
  });

  it('the schedule input keeps typed values between form and JSON', () => {
    const typed = { ...newInput(''), form: { region: 'south', limit: '5' } };
    const json = inView(SHAPE, typed, 'json');
    expect(JSON.parse(json.text)).toEqual({ region: 'south', limit: 5 });
    expect(viewOf(SHAPE, json)).toBe('json');
    const form = inView(SHAPE, json, 'form');
    expect(viewOf(SHAPE, form)).toBe('form');
    expect(JSON.parse(readInput(SHAPE, form).text)).toEqual({ region: 'south', limit: 5 });
  });

  it('the schedule input stays JSON if no form can show the value', () => {
    const other = { ...newInput('{ "other": 1 }'), view: 'json' as const };
    expect(viewOf(SHAPE, inView(SHAPE, other, 'form'))).toBe('json');
    expect(readInput(SHAPE, other)).toEqual({ text: '{ "other": 1 }', faults: {} });
  });

  it('the schedule input reports the path of an invalid field', () => {
    const typed = { ...newInput(''), form: { region: 'south', limit: 'many' } };
    expect(Object.keys(readInput(SHAPE, typed).faults)).toEqual(['input.limit']);
    expect(Object.keys(readInput(SHAPE, { ...newInput('{'), view: 'json' }).faults)).toEqual(['input']);
  });
});
