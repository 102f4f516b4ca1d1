/** Shorter values are not masked: they would be found in too much that is no secret. */
export const SHORTEST_MASKED = 6;

/** Bytes of a value for each four characters of base64. */
const BYTES_OF_BASE64 = 3;
const BITS_OF_BASE64 = 6;

/** What to look for in order to find a value: as it is, trimmed, without line breaks, and within base64. */
export function secretPatterns(value: string): readonly string[] {
  if (value.length < SHORTEST_MASKED) return [];
  const texts = [value, value.trim(), value.replaceAll(/\r?\n/g, '')];
  const found = new Set([...texts, ...texts.flatMap(base64Patterns)]);
  return [...found].filter((pattern) => pattern.length >= SHORTEST_MASKED);
}

/**
 * A value inside of a longer text, such as `user:<value>`, begins at one of three places of a group of base64. Only
 * the characters that depend on the value alone are looked for.
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
