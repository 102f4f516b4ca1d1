import { v7, validate } from 'uuid';

/** A new UUID v7: unique, and sorts by the time it was made. */
export function newId(): string {
  return v7();
}

/** Whether a text is a UUID of any version; ids from the outside are checked before they reach a query. */
export function isId(text: string): boolean {
  return validate(text);
}
