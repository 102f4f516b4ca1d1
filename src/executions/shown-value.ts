import type { Json } from '../expressions/index.js';
import { LongValue, type RecordedValue } from '../long-values/index.js';
import { payloadUrl } from '../journal/index.js';
import { publicUrl } from '../http/index.js';

/**
 * An input or output in a response. For a long value, `input` or `output` is null, and `input_url` or `output_url`
 * contains the URL of the value.
 */
export type ShownValue<Field extends 'input' | 'output'> = { readonly [F in Field]: Json } & {
  readonly [F in Field as `${F}_truncated`]?: true;
} & { readonly [F in Field as `${F}_url`]?: string };

export function shownInput(executionId: string, value: RecordedValue): ShownValue<'input'> {
  if (!(value instanceof LongValue)) return { input: value };
  return { input: null, input_truncated: true, input_url: urlOf(executionId, value) };
}

export function shownOutput(executionId: string, value: RecordedValue): ShownValue<'output'> {
  if (!(value instanceof LongValue)) return { output: value };
  return { output: null, output_truncated: true, output_url: urlOf(executionId, value) };
}

function urlOf(executionId: string, { place }: LongValue): string {
  return place === null
    ? ''
    : publicUrl(payloadUrl(place.executionId ?? executionId, place.sequence, place.field));
}
