/** Position of a reader in the order of all events. The reader has received all events up to the cursor. */
export interface Cursor {
  readonly position: number;
  /** Index of the last received event in its batch. Null if the reader has received the whole batch. */
  readonly index: number | null;
}

export const START: Cursor = { position: 0, index: null };

export function encodeCursor({ position, index }: Cursor): string {
  return index === null ? position.toString(36) : `${position.toString(36)}.${index.toString(36)}`;
}

/** Decodes the text of a cursor; undefined if the text is not a valid cursor. */
export function decodeCursor(text: string): Cursor | undefined {
  const match = /^([0-9a-z]{1,11})(?:\.([0-9a-z]{1,4}))?$/.exec(text);
  if (match?.[1] === undefined) return undefined;
  const position = Number.parseInt(match[1], 36);
  if (!Number.isSafeInteger(position)) return undefined;
  return { position, index: match[2] === undefined ? null : Number.parseInt(match[2], 36) };
}

export function isAfter(cursor: Cursor, position: number, index: number): boolean {
  if (position !== cursor.position) return position > cursor.position;
  return cursor.index !== null && index > cursor.index;
}
