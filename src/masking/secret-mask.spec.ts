import { describe, expect, it } from 'vitest';
import { SecretMask } from './secret-mask.js';

const VALUE = 'pä55/w+rd "x"';

function maskOf(...values: readonly string[]): SecretMask {
  const mask = new SecretMask();
  values.forEach((value, index) => mask.add(`S${index}`, value));
  return mask;
}

describe('SecretMask', () => {
  it.each<[string, string, string]>([
    ['verbatim', `a ${VALUE} b ${VALUE}`, 'a [secret S0] b [secret S0]'],
    ['in base64', `x ${Buffer.from(VALUE).toString('base64')} y`, 'x [secret S0] y'],
    ['in base64url', `x ${Buffer.from(VALUE).toString('base64url')} y`, 'x [secret S0] y'],
    ['URL-encoded', `?q=${encodeURIComponent(VALUE)}&r=1`, '?q=[secret S0]&r=1'],
    ['URL-encoded in lower case', encodeURIComponent(VALUE).toLowerCase(), '[secret S0]'],
    ['form-encoded', new URLSearchParams({ q: VALUE }).toString(), 'q=[secret S0]'],
    ['inside JSON', JSON.stringify({ k: VALUE }), '{"k":"[secret S0]"}'],
    ['inside JSON in JSON', JSON.stringify([JSON.stringify([VALUE])]), '["[\\"[secret S0]\\"]"]'],
    ['inside JSON with escaped characters', '{"k":"p\\u00e455/w+rd \\"x\\""}', '{"k":"[secret S0]"}'],
  ])('a secret mask replaces a secret value that is %s', (_, text, masked) => {
    expect(maskOf(VALUE).text(text)).toBe(masked);
  });

  it.each([0, 1, 2, 3])(
    'a secret mask replaces a secret value in a base64-encoded text in which %d characters precede the value',
    (length) => {
      const value = 'correct-horse-battery';
      const text = Buffer.from(`${'u'.repeat(length)}${value}:end`).toString('base64');
      const masked = maskOf(value).text(text);
      expect(masked).toContain('[secret S0]');
      expect(Buffer.from(masked.replace('[secret S0]', ''), 'base64').toString()).not.toMatch(
        /horse|correct|batt/,
      );
    },
  );

  it('a secret mask replaces only secret values of at least six characters', () => {
    expect(maskOf('abcdef', 'vwxyz').text('abcdef vwxyz')).toBe('[secret S0] vwxyz');
  });

  it('a secret mask replaces the longer of two secret values that start alike', () => {
    expect(maskOf('password', 'password-2').text('password-2, password')).toBe('[secret S1], [secret S0]');
  });

  it('a secret mask replaces two overlapping secret values completely', () => {
    expect(maskOf('abcdefgh', 'ghijklmn').text('<abcdefghijklmn>')).toBe('<[secret S0]>');
  });

  it('a secret mask replaces a multi-line secret value even in a text that omits the line breaks', () => {
    expect(maskOf('-----BEGIN\nabcdef\n-----END\n').text('key: -----BEGINabcdef-----END.')).toBe(
      'key: [secret S0].',
    );
  });

  it('a secret mask replaces secret values in keys, texts and numbers of JSON', () => {
    const value = { 'k-abcdef': [1, 'x abcdef', { n: 123_456 }, 12, null, true] };
    expect(maskOf('abcdef', '123456').json(value)).toEqual({
      'k-[secret S0]': [1, 'x [secret S0]', { n: '[secret S1]' }, 12, null, true],
    });
  });

  it('a secret mask replaces a secret value that is spread over several log lines', () => {
    const mask = maskOf('correct-horse-battery');
    expect(mask.lines(['a correct-', 'horse-', 'battery b', 'c'])).toEqual([
      'a [secret S0]',
      '[secret S0]',
      '[secret S0] b',
      'c',
    ]);
    expect(mask.lines(['first: correct-ho', 'second: rse-battery.'])).toEqual([
      'first: [secret S0]',
      'second: [secret S0].',
    ]);
  });

  it('a secret mask replaces a secret value of which a truncated text contains only the start', () => {
    expect(maskOf('correct-horse-battery').cutText('It was correct-horse')).toBe('It was [secret S0]');
    expect(maskOf('correct-horse-battery').cutText('It was corre')).toBe('It was corre');
  });

  it('a secret mask returns a text without secret values unchanged', () => {
    const text = 'nothing + here %41 \\n';
    expect(maskOf(VALUE).text(text)).toBe(text);
    expect(maskOf().text(text)).toBe(text);
  });
});
