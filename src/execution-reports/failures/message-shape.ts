/** Maximum number of characters of a message from which its shape is computed. */
export const MAX_SHAPED = 500;

/**
 * Patterns of variable parts and their placeholders. They are applied in this order; each pattern is applied to the
 * result of the previous pattern.
 */
const VARIABLE_PARTS: readonly (readonly [RegExp, string])[] = [
  [/"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/gu, '<text>'],
  [/\bhttps?:\/\/[^\s<>"')\]]+/giu, '<url>'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/giu, '<id>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/gu, '<address>'],
  [/\b[\w-]*\d[\w-]*\b/gu, '<number>'],
];

/** Maximum length of a word with digits that counts as a number. A longer word with digits counts as an id. */
const LONGEST_NUMBER = 7;

/**
 * A message without its variable parts, so that messages with the same cause are equal. Placeholders replace quoted
 * parts, URLs, IPv4 addresses, ids and numbers.
 */
export function messageShape(message: string): string {
  let shape = message.slice(0, MAX_SHAPED).toWellFormed();
  for (const [pattern, placeholder] of VARIABLE_PARTS)
    shape = shape.replaceAll(pattern, (part) =>
      placeholder === '<number>' && part.length > LONGEST_NUMBER && !/^\d+$/u.test(part)
        ? '<id>'
        : placeholder,
    );
  return shape.replaceAll(/\s+/gu, ' ').trim();
}
