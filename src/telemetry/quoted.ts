const PLAIN = /^[\w .:-]*$/;

/**
 * Returns a string as JSON. Strings without special characters are only quoted, because checking a string takes less
 * time than `JSON.stringify`.
 */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
