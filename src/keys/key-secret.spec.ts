import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOfKey, looksLikeKey, newKeySecret, shownPartsOf } from './key-secret.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Arbitrary API keys. fast-check supplies up to 120 random bytes, and zeros replace further bytes. */
const keys = fc.uint8Array({ minLength: 0, maxLength: 120 }).map((bytes) => {
  let used = 0;
  return newKeySecret((size) => {
    const taken = new Uint8Array(size);
    taken.set(bytes.subarray(used, used + size));
    used += size;
    return taken;
  });
});

describe('newKeySecret and looksLikeKey', () => {
  it('a new key has the documented format and passes the format check', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(key).toMatch(/^wfk_[0-9A-Za-z]{36}$/);
        expect(looksLikeKey(key)).toBe(true);
      }),
    );
  });

  it('the format check of keys refuses a key with one changed character', () => {
    fc.assert(
      fc.property(
        keys,
        fc.integer({ min: 0, max: 39 }),
        fc.constantFrom(...BASE62.split(''), '-', ' '),
        (key, at, character) => {
          fc.pre(key[at] !== character);
          expect(looksLikeKey(key.slice(0, at) + character + key.slice(at + 1))).toBe(false);
        },
      ),
    );
  });

  it('the format check of keys refuses a key with two swapped characters', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 4, max: 38 }), (key, at) => {
        const [left = '', right = ''] = [key[at], key[at + 1]];
        fc.pre(left !== right);
        expect(looksLikeKey(key.slice(0, at) + right + left + key.slice(at + 2))).toBe(false);
      }),
    );
  });

  it('the format check of keys refuses a shortened key and a key inside another text', () => {
    fc.assert(
      fc.property(
        keys,
        fc.string({ minLength: 1 }),
        fc.integer({ min: 0, max: 39 }),
        (key, extra, length) => {
          expect(looksLikeKey(key.slice(0, length))).toBe(false);
          expect(looksLikeKey(key + extra)).toBe(false);
          expect(looksLikeKey(extra + key)).toBe(false);
        },
      ),
    );
  });

  it('the format check of keys never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(looksLikeKey(text)).toBe(false);
      }),
    );
  });

  it('key creation discards random bytes that would favor some letters', () => {
    const bytes = [
      ...Array.from({ length: 8 }, (_, index) => 248 + index),
      ...Array.from({ length: 62 }, (_, index) => index),
    ];
    let used = 0;
    const key = newKeySecret((size) => Uint8Array.from(bytes.slice(used, (used += size))));
    expect(key.slice(4, 34)).toBe(BASE62.slice(0, 30));
  });

  it('random keys contain every letter equally often', () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 2_000; made += 1)
      for (const letter of newKeySecret(randomBytes).slice(4, 34))
        counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const expected = (2_000 * 30) / BASE62.length;
    const chiSquare = BASE62.split('').reduce(
      (sum, letter) => sum + ((counts.get(letter) ?? 0) - expected) ** 2 / expected,
      0,
    );
    // Threshold of a chi-square test for 61 degrees of freedom. The value of uniformly distributed keys exceeds 122
    // about once in 200,000 runs. With modulo bias, the value exceeds 300.
    expect(chiSquare).toBeLessThan(122);
  });

  it('the checksum of a key is the same in every release', () => {
    expect(newKeySecret((size) => new Uint8Array(size))).toBe('wfk_0000000000000000000000000000002C8GjS');
  });

  it('a key is stored as a SHA-256 hash', () => {
    const key = newKeySecret(randomBytes);
    expect(hashOfKey(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(shownPartsOf(key)).toEqual({ prefix: key.slice(0, 8), lastFour: key.slice(36) });
  });
});
