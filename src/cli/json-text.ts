import { CommandError } from './command-error.js';

/**
 * Parses a JSON text. The error names the position of the invalid character.
 * @param source name of the text in the error message
 * @throws CommandError with the line and the column of the error
 */
export function parseJson(text: string, source: string): unknown {
  const message = errorOf(text);
  if (message === undefined) return JSON.parse(text);
  const before = text.slice(0, positionOf(text, message)).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  throw new CommandError(`${source} is not valid JSON (${place}): ${message.replace(CONTEXT, '')}.`);
}

/** Matches the end of a V8 error message if this end repeats the position of the error or quotes the JSON text. */
const CONTEXT = / in JSON at position .*$|, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s;

function errorOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const UNEXPECTED = 'Unexpected token';

/** Returns the index of the first invalid character: the index in the V8 message, or else the result of a search. */
function positionOf(text: string, message: string): number {
  const [, stated] = / in JSON at position (\d+)/.exec(message) ?? [];
  if (stated !== undefined) return Number(stated);
  // V8 reports "Unexpected end of JSON input" for an incomplete text, so the error is at the end of the text.
  if (!message.startsWith(UNEXPECTED)) return text.length;
  // Binary search for the shortest prefix that causes an error about an unexpected token. The last character
  // of this prefix is invalid.
  let [without, prefix] = [0, text.length];
  while (prefix - without > 1) {
    const length = Math.floor((without + prefix) / 2);
    if (errorOf(text.slice(0, length))?.startsWith(UNEXPECTED) === true) prefix = length;
    else without = length;
  }
  return without;
}
