/** A string whose escape sequences are decoded, and the original position of each decoded character. */
export interface DecodedText {
  readonly text: string;
  /**
   * Position in the original string of each decoded character. The last element is the length of the original string.
   */
  readonly places: readonly number[];
}

const PERCENT_RUNS = /(?:%[0-9a-fA-F]{2})+/g;
const JSON_ESCAPES = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g;

/** Maximum nesting of JSON inside JSON strings that is searched for secrets. */
const MAX_NESTED = 4;

/**
 * Returns the possible decoded forms of a string: URL-decoded, and as the content of a JSON string, which may be
 * nested.
 */
export function readingsOf(original: string): readonly DecodedText[] {
  const readings: DecodedText[] = [];
  if (original.includes('%')) readings.push(decoded(original, PERCENT_RUNS, percentDecoded));
  if (original.includes('+')) {
    const spaced = original.replaceAll('+', ' ');
    readings.push(decoded(spaced, PERCENT_RUNS, percentDecoded));
  }
  let outer: DecodedText = { text: original, places: [] };
  for (let nested = 1; nested <= MAX_NESTED && outer.text.includes('\\'); nested += 1) {
    const { places } = outer;
    const inner = decoded(outer.text, JSON_ESCAPES, jsonDecoded);
    outer = nested === 1 ? inner : { ...inner, places: inner.places.map((place) => places[place] ?? 0) };
    readings.push(outer);
  }
  return readings;
}

/** A piece of the decoded string, and the length of its encoded form in the original string. */
type Part = readonly [text: string, length: number];

function decoded(original: string, escapes: RegExp, decode: (run: string) => readonly Part[]): DecodedText {
  let text = '';
  const places: number[] = [];
  const keep = (part: string, from: number, isDecoded: boolean): void => {
    for (let at = 0; at < part.length; at += 1) places.push(isDecoded ? from : from + at);
    text += part;
  };
  let from = 0;
  for (const { 0: run, index } of original.matchAll(escapes)) {
    keep(original.slice(from, index), from, false);
    from = index;
    for (const [part, length] of decode(run)) {
      keep(part, from, true);
      from += length;
    }
  }
  keep(original.slice(from), from, false);
  return { text, places: [...places, original.length] };
}

function percentDecoded(run: string): readonly Part[] {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes)) return [...bytes].map((byte) => [String.fromCharCode(byte), 3]);
  return Array.from(text, (character) => [character, Buffer.byteLength(character) * 3]);
}

function jsonDecoded(run: string): readonly Part[] {
  return [[JSON.parse(`"${run}"`) as string, run.length]];
}
