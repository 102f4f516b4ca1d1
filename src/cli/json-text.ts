import { CommandError } from './command-error.js';

/**
 * Parses a JSON text.
 * @param source name of the text in the error message
 * @throws CommandError with the line and the column of the error
 */
export function parseJson(text: string, source: string): unknown {
  const message = errorOf(text);
  if (message === undefined) return JSON.parse(text);
  const before = text.slice(0, positionOf(text, message)).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  throw new CommandError(`${source} is not JSON (${place}): ${message.replace(CONTEXT, '')}.`);
}

/** The part of a V8 error message that repeats the position or the text. */
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

/** Returns the index of the first invalid character. All V8 messages except two contain this index. */
function positionOf(text: string, message: string): number {
  const [, stated] = / in JSON at position (\d+)/.exec(message) ?? [];
  if (stated !== undefined) return Number(stated);
  // The message "Unexpected end of JSON input" refers to the end of the text.
  if (!message.startsWith(UNEXPECTED)) return text.length;
  // Binary search: the shortest prefix with the same error ends with the invalid character.
  let [without, prefix] = [0, text.length];
  while (prefix - without > 1) {
    const length = Math.floor((without + prefix) / 2);
    if (errorOf(text.slice(0, length))?.startsWith(UNEXPECTED) === true) prefix = length;
    else without = length;
  }
  return without;
}
