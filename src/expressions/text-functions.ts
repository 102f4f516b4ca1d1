import {
  type Call,
  type ExpressionMethod,
  indexArgument,
  onList,
  onString,
  refusal,
  textArgument,
} from './call.js';
import { MAX_LIST_LENGTH, checkListLength, checkTextLength, toText } from './value.js';
import type { Json } from './json.js';

/**
 * The Unicode characters of a string, so that indexes never split a surrogate pair. Returns the string itself if it has
 * no surrogate pairs.
 */
export function characters(call: Call, text: string): string | string[] {
  call.budget.spendText(text.length);
  if (!/[\ud800-\udfff]/.test(text)) return text;
  call.budget.spend(text.length);
  return Array.from(text);
}

function slice(call: Call, text: string, start: number, end: number | undefined): string {
  const all = characters(call, text);
  const part = all.slice(start, end);
  return typeof part === 'string' ? part : part.join('');
}

/** Converts an index in UTF-16 code units to an index in Unicode characters. */
function place(call: Call, text: string, index: number): number {
  return index <= 0 ? index : characters(call, text.slice(0, index)).length;
}

/** Splits a string at a separator. With an empty separator, returns the characters of the string. */
function split(call: Call, text: string, separator: string): string[] {
  call.budget.spendSearch(text, separator);
  const parts =
    separator === ''
      ? Array.from(text.slice(0, 2 * MAX_LIST_LENGTH + 2))
      : text.split(separator, MAX_LIST_LENGTH + 1);
  checkListLength(parts.length);
  call.budget.spend(parts.length);
  return parts;
}

function join(call: Call, parts: readonly Json[], separator: string): string {
  call.budget.spend(parts.length);
  const texts = parts.map((part) => toText(call.budget, part));
  const length = texts.reduce(
    (sum, text) => sum + text.length,
    Math.max(0, texts.length - 1) * separator.length,
  );
  checkTextLength(length);
  call.budget.spendText(length);
  return texts.join(separator);
}

/** Limits the parts of a split string to `limit`. The last part then contains the unsplit rest of the string. */
function gather(parts: readonly string[], separator: string, limit: number): readonly string[] {
  if (parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function mapAscii(call: Call, text: string, letters: RegExp, change: (letters: string) => string): string {
  call.budget.spendText(text.length * 4);
  return text.replace(letters, change);
}

export const TEXT_METHODS: Readonly<Record<string, ExpressionMethod>> = {
  contains: onString(1, 1, (call, text, args) => {
    const needle = textArgument(call, args, 0);
    call.budget.spendSearch(text, needle);
    return text.includes(needle);
  }),
  startsWith: onString(1, 1, (call, text, args) => {
    const needle = textArgument(call, args, 0);
    call.budget.spendText(needle.length);
    return text.startsWith(needle);
  }),
  endsWith: onString(1, 1, (call, text, args) => {
    const needle = textArgument(call, args, 0);
    call.budget.spendText(needle.length);
    return text.endsWith(needle);
  }),
  indexOf: onString(1, 1, (call, text, args) => {
    const needle = textArgument(call, args, 0);
    call.budget.spendSearch(text, needle);
    return place(call, text, text.indexOf(needle));
  }),
  lastIndexOf: onString(1, 1, (call, text, args) => {
    const needle = textArgument(call, args, 0);
    call.budget.spendSearch(text, needle);
    return place(call, text, text.lastIndexOf(needle));
  }),
  charAt: onString(1, 1, (call, text, args) => {
    const index = indexArgument(call, args, 0, 0);
    return slice(call, text, index, index + 1);
  }),
  substring: onString(1, 2, (call, text, args) => {
    const end = args.length > 1 ? indexArgument(call, args, 1, 0) : undefined;
    return slice(call, text, indexArgument(call, args, 0, 0), end);
  }),
  lowerAscii: onString(0, 0, (call, text) => mapAscii(call, text, /[A-Z]+/g, (part) => part.toLowerCase())),
  upperAscii: onString(0, 0, (call, text) => mapAscii(call, text, /[a-z]+/g, (part) => part.toUpperCase())),
  trim: onString(0, 0, (call, text) => {
    call.budget.spendText(text.length);
    return text.trim();
  }),
  split: onString(1, 2, (call, text, args) => {
    const separator = textArgument(call, args, 0);
    const limit = indexArgument(call, args, 1, MAX_LIST_LENGTH);
    return limit === 0 ? [] : gather(split(call, text, separator), separator, limit);
  }),
  replace: onString(2, 3, (call, text, args) => {
    const from = textArgument(call, args, 0);
    const limit = indexArgument(call, args, 2, MAX_LIST_LENGTH);
    if (from === '') throw refusal(call, 'needs a search text that is not empty');
    return join(call, gather(split(call, text, from), from, limit + 1), textArgument(call, args, 1));
  }),
  join: onList(0, 1, (call, list, args) =>
    join(call, list, args.length === 0 ? '' : textArgument(call, args, 0)),
  ),
};
