import { describe, expect, it } from 'vitest';
import { inputShape } from '../../ui/input-shape.ts';
import { inView, isShownByForm, newInput, readInput, viewOf } from './schedule-input.ts';

const SHAPE = inputShape({
  type: 'object',
  required: ['region'],
  properties: { region: { type: 'string', default: 'north' }, limit: { type: 'integer' } },
});

describe('the input of a schedule', () => {
  it('the schedule dialog shows the input as a form only if the form can show every value of the JSON', () => {
    expect(isShownByForm(SHAPE, '')).toBe(true);
    expect(isShownByForm(SHAPE, '{ "limit": 5, "region": "south" }')).toBe(true);
    expect(isShownByForm(SHAPE, '{ "region": "south", "other": 1 }')).toBe(false);
    expect(isShownByForm(SHAPE, '{ "region": "south", "limit": "many" }')).toBe(false);
    expect(isShownByForm(SHAPE, '{ "region": ')).toBe(false);
    expect(viewOf(undefined, newInput(''))).toBe('json');
  });

  it('the input form of a new schedule contains the defaults of the input schema', () => {
    expect(JSON.parse(readInput(SHAPE, newInput('')).text)).toEqual({ region: 'north' });
  });

  it('the schedule dialog keeps typed values when the user switches between form and JSON', () => {
    const typed = { ...newInput(''), form: { region: 'south', limit: '5' } };
    const json = inView(SHAPE, typed, 'json');
    expect(JSON.parse(json.text)).toEqual({ region: 'south', limit: 5 });
    expect(viewOf(SHAPE, json)).toBe('json');
    const form = inView(SHAPE, json, 'form');
    expect(viewOf(SHAPE, form)).toBe('form');
    expect(JSON.parse(readInput(SHAPE, form).text)).toEqual({ region: 'south', limit: 5 });
  });

  it('the schedule dialog keeps showing JSON if the form cannot show the input', () => {
    const other = { ...newInput('{ "other": 1 }'), view: 'json' as const };
    expect(viewOf(SHAPE, inView(SHAPE, other, 'form'))).toBe('json');
    expect(readInput(SHAPE, other)).toEqual({ text: '{ "other": 1 }', faults: {} });
  });

  it('the schedule dialog reports the path of an invalid input field', () => {
    const typed = { ...newInput(''), form: { region: 'south', limit: 'many' } };
    expect(Object.keys(readInput(SHAPE, typed).faults)).toEqual(['input.limit']);
    expect(Object.keys(readInput(SHAPE, { ...newInput('{'), view: 'json' }).faults)).toEqual(['input']);
  });
});
