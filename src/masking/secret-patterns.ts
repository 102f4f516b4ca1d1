/** Minimum length of masked values in characters. Shorter values would match too much other text. */
export const SHORTEST_MASKED = 6;

const BYTES_OF_BASE64 = 3;
const BITS_OF_BASE64 = 6;

/** Patterns of a value: unchanged, trimmed, without line breaks, and within base64. */
export function secretPatterns(value: string): readonly string[] {
  if (value.length < SHORTEST_MASKED) return [];
  const texts = [value, value.trim(), value.replaceAll(/\r?\n/g, '')];
  const found = new Set([...texts, ...texts.flatMap(base64Patterns)]);
  return [...found].filter((pattern) => pattern.length >= SHORTEST_MASKED);
}

/**
 * Patterns of a value inside a longer base64 string, such as the base64 of `user:<value>`. A value may start at three
 * offsets of a base64 group.
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
