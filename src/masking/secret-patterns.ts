/** Minimum length of a masked value, in characters. Shorter values would also occur in much text that is not secret. */
export const SHORTEST_MASKED = 6;

const BYTES_OF_BASE64 = 3;
const BITS_OF_BASE64 = 6;

/**
 * Returns the forms in which a secret value can occur in text: unchanged, trimmed, without line breaks, and encoded as
 * a part of a base64 string.
 */
export function secretPatterns(value: string): readonly string[] {
  if (value.length < SHORTEST_MASKED) return [];
  const texts = [value, value.trim(), value.replaceAll(/\r?\n/g, '')];
  const found = new Set([...texts, ...texts.flatMap(base64Patterns)]);
  return [...found].filter((pattern) => pattern.length >= SHORTEST_MASKED);
}

/**
 * Returns the forms that a value takes inside a longer base64 string, such as the base64 of `user:<value>`. base64
 * encodes groups of three bytes, so the value has a different form for each offset within a group.
 */
function base64Patterns(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const parts = Array.from({ length: BYTES_OF_BASE64 }, (_, before) => {
    const bits = (before + bytes.length) * 8;
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / BITS_OF_BASE64), Math.floor(bits / BITS_OF_BASE64));
  });
  const whole = bytes.toString('base64');
  return [whole, whole.replace(/=+$/, ''), ...parts].flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
  ]);
}
