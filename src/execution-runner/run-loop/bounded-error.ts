import { INLINE_LIMIT } from '../../long-values/index.js';
import { type NodeError } from '../../execution-events/index.js';
import { isJsonObject, type Json, type JsonObject } from '../../expressions/index.js';

/** Maximum number of characters of an error message in the journal. */
const MAX_MESSAGE = 4_096;

/** Maximum number of characters of an error code in the journal. */
const MAX_CODE = 256;

/** Number of characters reserved for the field `truncated` and the JSON syntax around the details. */
const FRAME = 64;

/**
 * Limits the size of an error in the journal, because the error stays in memory and several events repeat it. If the
 * details exceed 16 KiB of JSON, long texts are shortened, other values may be omitted, and `truncated: true` is added.
 */
export function boundedError(code: string, message: string, details: Json | undefined): NodeError {
  const cut = { code: code.slice(0, MAX_CODE), message: shortened(message, MAX_MESSAGE) };
  return details === undefined ? cut : { ...cut, details: boundedDetails(details) };
}

function boundedDetails(details: Json): Json {
  // The details of an error may have a type outside of JSON, such as a function, if a plug-in in plain
  // JavaScript sets them.
  const text = JSON.stringify(details) as string | undefined;
  if (text === undefined) return null;
  if (text.length <= INLINE_LIMIT) return details;
  return isJsonObject(details)
    ? boundedObject(details, INLINE_LIMIT)
    : { truncated: true, text: fitting(text, INLINE_LIMIT - FRAME) };
}

function boundedObject(details: JsonObject, limit: number): JsonObject {
  const kept: Record<string, Json> = {};
  let room = limit - FRAME;
  // Short values are kept first, because a short value such as a status code is more useful than a part of a long
  // response body.
  for (const [name, value, length] of sizedEntries(details)) {
    const left = room - JSON.stringify(name).length - 2;
    if (length <= left) kept[name] = value;
    else if (typeof value === 'string' && left > 2) kept[name] = fitting(value, left);
    else if (isJsonObject(value) && left > FRAME) kept[name] = boundedObject(value, left);
    else continue;
    room = left - Math.min(length, left);
  }
  const inOrder = Object.keys(details).flatMap((name) => {
    const value = kept[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inOrder), truncated: true };
}

function sizedEntries(details: JsonObject): readonly (readonly [string, Json, number])[] {
  return Object.entries(details)
    .flatMap(([name, value]) => {
      const text = JSON.stringify(value) as string | undefined;
      return text === undefined ? [] : [[name, value, text.length] as const];
    })
    .toSorted(([, , one], [, , other]) => one - other);
}

/** Returns the longest prefix of a text whose JSON text has at most `length` characters. */
function fitting(text: string, length: number): string {
  let end = Math.min(text.length, length - 2);
  for (;;) {
    const part = shortened(text, end);
    const excess = JSON.stringify(part).length - length;
    if (excess <= 0) return part;
    // One character is at most six characters of JSON (`\u0000`). Removing a sixth of the excess therefore never
    // removes too much.
    end = Math.max(0, end - Math.max(1, Math.ceil(excess / 6)));
  }
}

/** Truncates a text without splitting a surrogate pair, because half a pair would make the text invalid. */
function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
