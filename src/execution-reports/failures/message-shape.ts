/** Maximum number of characters of an error message from which its shape is computed. */
export const MAX_SHAPED = 500;

/**
 * Patterns for variable parts of an error message, with the placeholders that replace them. Each pattern is applied to
 * the result of the previous pattern. Each takes linear time, because a report applies them to thousands of messages.
 */
const VARIABLE_PARTS: readonly (readonly [RegExp, string])[] = [
  [/"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/gu, '<text>'],
  [/\bhttps?:\/\/[^\s<>"')\]]+/giu, '<url>'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/giu, '<id>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/gu, '<address>'],
];

/** A word, in which hyphens may connect parts. A word with a digit is a number or an id. */
const WORD = /\w(?:[\w-]*\w)?/gu;

/** Maximum length of a part with letters and digits that still counts as a number, not as an id. */
const LONGEST_NUMBER = 7;

/**
 * Returns the shape of an error message: the message with placeholders for quoted parts, URLs, IPv4 addresses, ids and
 * numbers. Messages with the same cause thus have the same shape.
 */
export function messageShape(message: string): string {
  let shape = message.slice(0, MAX_SHAPED).toWellFormed();
  for (const [pattern, placeholder] of VARIABLE_PARTS) shape = shape.replaceAll(pattern, placeholder);
  shape = shape.replaceAll(WORD, (word) => {
    if (!/\d/u.test(word)) return word;
    return word.length > LONGEST_NUMBER && !/^\d+$/u.test(word) ? '<id>' : '<number>';
  });
  return shape.replaceAll(/\s+/gu, ' ').trim();
}
