import type { Json, JsonObject } from '../expressions/index.js';

export interface SearchedExecution {
  readonly id: string;
  /** Input of the execution. Null if the input is too long to be stored in the execution's row. */
  readonly input: Json;
  readonly metadata: JsonObject;
  readonly error: { readonly type: string; readonly message: string; readonly node_id: string | null } | null;
}

/** Maximum number of indexed words of an execution. Further words cannot be found by a search. */
export const MAX_WORDS = 64;

/** Maximum length of an indexed word in UTF-16 code units. Longer words are truncated. */
const MAX_LENGTH = 64;

/** Maximum number of terms of a search. Further terms are ignored. */
const MAX_TERMS = 8;

const SEPARATORS = /[\s\p{Cc}\p{Cs}\p{Cn}]+/u;
const OUTER_PUNCTUATION = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const INNER_PUNCTUATION = /[^\p{L}\p{N}\p{M}]+/u;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Returns the lower-case words by which a search finds an execution. The words come from the end of the execution's id,
 * and from its error, metadata and input. The text `ada@example.com` results in `ada@example.com`, `ada`, `example` and
 * `com`.
 */
export function wordsOf({ id, error, metadata, input }: SearchedExecution): ReadonlySet<string> {
  const words = new Set<string>([endOf(id)]);
  const texts = [error?.message, error?.type, error?.node_id];
  for (const value of [...texts, metadata, input])
    for (const text of textsOf(value ?? null)) if (!added(words, text)) return words;
  return words;
}

/** Returns the last eight characters of an id. The first characters of an id only encode its time of creation. */
export function endOf(id: string): string {
  return id.slice(-8);
}

/** Splits a search text into lower-case terms. Each term of a search matches all words that start with the term. */
export function termsOf(text: string): readonly string[] {
  const terms = chunksOf(text).map((chunk) => cut(chunk));
  return [...new Set(terms)].slice(0, MAX_TERMS);
}

/** Returns true if each term is the start of at least one of the words. */
export function matches(words: ReadonlySet<string>, terms: readonly string[]): boolean {
  return terms.every((term) => [...words].some((word) => word.startsWith(term)));
}

/** @returns false if the execution already has the maximum number of words */
function added(words: Set<string>, text: string): boolean {
  for (const chunk of chunksOf(text)) {
    const parts = UUID.test(chunk) ? [endOf(chunk)] : chunk.split(INNER_PUNCTUATION);
    for (const word of [chunk, ...parts]) {
      if (words.size >= MAX_WORDS) return false;
      if (word !== '') words.add(cut(word));
    }
  }
  return true;
}

function chunksOf(text: string): readonly string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(SEPARATORS)
    .map((chunk) => chunk.replaceAll(OUTER_PUNCTUATION, ''))
    .filter((chunk) => chunk !== '');
}

/** Truncates a word to `MAX_LENGTH` without splitting a surrogate pair, because databases cannot store half a pair. */
function cut(word: string): string {
  return word.slice(0, MAX_LENGTH).replace(/\p{Cs}$/u, '');
}

/** Yields all strings and numbers inside a JSON value, without the names of fields. */
function* textsOf(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsOf(inner);
}

export interface Match {
  readonly field: 'id' | 'error' | 'metadata' | 'input';
  /** Excerpt of at most 120 characters around the matching word. */
  readonly text: string;
}

const MATCH_LENGTH = 120;

/**
 * Returns an excerpt of the first text of an execution that matches a term of the search. The error is searched first,
 * then the metadata, then the input. Returns the id of the execution if no text matches.
 */
export function matchOf({ id, error, metadata, input }: SearchedExecution, terms: readonly string[]): Match {
  const fields: readonly (readonly [Match['field'], Json])[] = [
    ['error', error === null ? null : [error.message, error.type, error.node_id ?? '']],
    ['metadata', metadata],
    ['input', input],
  ];
  for (const [field, value] of fields)
    for (const text of textsOf(value)) {
      const at = placeOf(text, terms);
      if (at !== null) return { field, text: around(text, at) };
    }
  return { field: 'id', text: id };
}

/** Returns the index in `text` at which a matched term starts. Null if no word of `text` starts with a term. */
function placeOf(text: string, terms: readonly string[]): number | null {
  const words = new Set<string>();
  for (const chunk of chunksOf(text)) {
    words.add(chunk);
    for (const part of chunk.split(INNER_PUNCTUATION)) words.add(part);
  }
  const found = terms.find((term) => matches(words, [term]));
  return found === undefined ? null : Math.max(0, text.toLowerCase().indexOf(found));
}

function around(text: string, at: number): string {
  if (text.length <= MATCH_LENGTH) return text;
  const from = Math.max(0, Math.min(at - MATCH_LENGTH / 3, text.length - MATCH_LENGTH + 2));
  const part = text.slice(from, from + MATCH_LENGTH - 2).replaceAll(/^\p{Cs}|\p{Cs}$/gu, '');
  return `${from > 0 ? '…' : ''}${part}${from + MATCH_LENGTH - 2 < text.length ? '…' : ''}`;
}
