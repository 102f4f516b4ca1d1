import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLinearPattern, PatternError } from './linear-pattern.js';

const PATTERNS = [
  '^[a-z]+@[a-z]+\\.(com|org)$',
  '^(\\d{3}-)?\\d{4}$',
  'a{2,3}b*?',
  '^(?:ab|a)(?<rest>c|bcd)*$',
  '\\bcat\\b',
  '\\Bat',
  '^\\p{Lu}\\p{Ll}*$',
  '^.$',
  '^[^\\]a]+$',
  '^(a?)*b$',
  '^\\u{1F600}|\\uD83D\\uDE00$',
  '^$',
  '',
  '(^a|b$)+',
  'x{0}y',
  '((((){9999}){9999}){9999}){4000000000}b',
  '^[\\s\\S]{2,}$',
];

describe('compileLinearPattern', () => {
  it('a linear pattern matches the same texts as a native regular expression', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'abcdxy@.-] 0123Zomrgcat😀é\n_'.match(/./gsu)!),
      maxLength: 14,
    });
    fc.assert(
      fc.property(fc.constantFrom(...PATTERNS), text, (source, given) => {
        expect(compileLinearPattern(source).test(given)).toBe(new RegExp(source, 'u').test(given));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['a@b.com', true],
    ['555-1234', false],
    ['a@b.net', false],
  ])('a linear pattern for email addresses, applied to %s, returns %s', (text, expected) => {
    expect(compileLinearPattern(PATTERNS[0]!).test(text)).toBe(expected);
  });

  it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^a*a*a*a*a*a*$', '^((a*)*)*$'])(
    'the number of steps to match the pattern %s grows linearly with the length of the text',
    (source) => {
      const steps = (length: number): number => {
        let total = 0;
        compileLinearPattern(source, (n) => (total += n)).test(`${'a'.repeat(length)}!`);
        return total;
      };
      expect(steps(2000) / steps(1000)).toBeLessThan(2.1);
    },
  );

  it.each([
    ['(?=a)b', 'look-around'],
    ['(?<!a)b', 'look-around'],
    ['(?i:a)', 'inline flags'],
    ['(a)\\1', 'back-references'],
    ['(?<n>a)\\k<n>', 'back-references'],
    ['(', 'Unterminated group'],
    ['((a{90}){90}){90}', 'with fewer or smaller repetitions'],
    ['a{4000000000}', 'with fewer or smaller repetitions'],
    ['a'.repeat(501), 'at most 500'],
  ])('the regular expression %s is rejected', (source, reason) => {
    expect(() => compileLinearPattern(source)).toThrow(PatternError);
    expect(() => compileLinearPattern(source)).toThrow(reason);
  });

  it('matching of a linear pattern stops when its step budget is used up', () => {
    const pattern = compileLinearPattern('^a*$', () => {
      throw new Error('spent');
    });
    expect(() => pattern.test('aaa')).toThrow('spent');
  });
});
