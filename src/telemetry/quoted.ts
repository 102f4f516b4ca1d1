const PLAIN = /^[\w .:-]*$/;

/** A string in JSON. Most strings need no escapes, and the check takes less time than `JSON.stringify`. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
