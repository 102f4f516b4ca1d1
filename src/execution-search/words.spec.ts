import { describe, expect, it } from 'vitest';
import { MAX_WORDS, matches, matchOf, type SearchedExecution, termsOf, wordsOf } from './words.js';

const ID = '019a8c0f-2222-7abc-8def-0123456789ab';

function execution(own: Partial<SearchedExecution> = {}): SearchedExecution {
  return { id: ID, input: null, metadata: {}, error: null, ...own };
}

const words = (own: Partial<SearchedExecution>): readonly string[] => [...wordsOf(execution(own))];

describe('wordsOf', () => {
  it('the words of an execution include the last eight characters of its id', () => {
    expect(words({})).toEqual(['456789ab']);
  });

  it('the words of an execution include the message, type and node of its error', () => {
    const error = { type: 'http_status_error', message: 'The server answered 503.', node_id: 'charge' };
    expect(words({ error }).slice(1)).toEqual([
      ...['the', 'server', 'answered', '503'],
      ...['http_status_error', 'http', 'status', 'error', 'charge'],
    ]);
  });

  it('the words of an execution include texts and numbers of input and metadata at any depth, but no names of fields', () => {
    const input = { order: { lines: [{ sku: 'A-7', price: 12.5 }] }, is_paid: true, note: null };
    expect(words({ input, metadata: { customer: 'Ada' } }).slice(1)).toEqual([
      ...['ada', 'a-7', 'a', '7', '12.5', '12', '5'],
    ]);
  });

  it('the words of an execution include an email address, both as a whole and in parts', () => {
    expect(words({ input: '<ada@example.com>' }).slice(1)).toEqual([
      ...['ada@example.com', 'ada', 'example', 'com'],
    ]);
  });

  it('the words of an execution include each id in its input, both the whole id and its last eight characters', () => {
    expect(words({ input: ID.replace('019a', 'FFFF') }).slice(1)).toEqual([ID.replace('019a', 'ffff')]);
    expect(words({ input: '019a8c0f-2222-7abc-8def-00000000beef' })).toContain('0000beef');
  });

  it('an execution has at most 64 words with at most 64 characters each', () => {
    const long = words({ input: ['x'.repeat(70), `${'y'.repeat(63)}😀`] });
    expect(long.slice(1)).toEqual(['x'.repeat(64), 'y'.repeat(63)]);
    expect(words({ input: Array.from({ length: 100 }, (_, n) => n) })).toHaveLength(MAX_WORDS);
  });

  it('the words of an execution contain no control characters and no half of a surrogate pair', () => {
    expect(words({ input: 'a\u0000b\ud800c' }).slice(1)).toEqual(['a', 'b', 'c']);
  });
});

describe('termsOf', () => {
  it('the terms of a search are in lower case, without punctuation around them and without duplicates', () => {
    expect(termsOf('  "Refund" REFUND, ada@Example.com! ')).toEqual(['refund', 'ada@example.com']);
  });

  it('a search has at most eight terms', () => {
    expect(termsOf('a b c d e f g h i j')).toHaveLength(8);
  });

  it('an execution matches a search if each search term is the start of a word of the execution', () => {
    const found = wordsOf(execution({ input: 'Refund of order 42' }));
    expect(matches(found, termsOf('ref 4'))).toBe(true);
    expect(matches(found, termsOf('ref 5'))).toBe(false);
    expect(matches(found, termsOf('fund'))).toBe(false);
  });
});

describe('the shown match is in the error if the error matches, else in the metadata, else in the input', () => {
  const failed = { type: 'node_failed', message: 'Refund refused', node_id: null };

  it('a search result shows a match in the error first, then a match in metadata, and then a match in the input', () => {
    const found = execution({ error: failed, metadata: { reason: 'refund' }, input: 'refund' });
    expect(matchOf(found, ['refund'])).toEqual({ field: 'error', text: 'Refund refused' });
    expect(matchOf({ ...found, error: null }, ['refund'])).toEqual({ field: 'metadata', text: 'refund' });
    expect(matchOf({ ...found, error: null, metadata: {} }, ['ref'])).toEqual({
      field: 'input',
      text: 'refund',
    });
  });

  it('a search result shows the id as the match if only the id matches the search', () => {
    expect(matchOf(execution(), ['456789ab'])).toEqual({ field: 'id', text: ID });
  });

  it('a search result shows at most 120 characters around the matching word', () => {
    const { text } = matchOf(execution({ input: `${'a '.repeat(100)}refund${' b'.repeat(100)}` }), [
      'refund',
    ]);
    expect(text).toMatch(/^….*refund.*…$/);
    expect(text.length).toBeLessThanOrEqual(122);
    const end = matchOf(execution({ input: `${'a '.repeat(100)}refund` }), ['refund']);
    expect(end.text).toMatch(/^….*refund$/);
    const begin = matchOf(execution({ input: `refund${' b'.repeat(100)}` }), ['refund']);
    expect(begin.text).toMatch(/^refund.*…$/);
  });

  it('a search result shows the whole ligature if the match begins inside the ligature', () => {
    const input = `\uFB01re${' b'.repeat(100)}`;
    expect(matchOf(execution({ input }), ['fire']).text.startsWith('\uFB01re')).toBe(true);
  });
});
