const PLAIN = /^[\w .:-]*$/;

/**
 * Returns a string as JSON. Most strings need no escapes, and checking a string takes less time than `JSON.stringify`.
 */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
