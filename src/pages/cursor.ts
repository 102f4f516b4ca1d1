import { ValidationError } from '../errors/index.js';

/** Sort values of the last row on a page, in the order of the sort columns. */
export type CursorValues = readonly (string | number)[];

export function encodeCursor(values: CursorValues): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * Decodes a cursor that a client sent, and checks the number and types of its values.
 *
 * @throws ValidationError when the cursor is not base64url of a JSON list with these types
 */
export function decodeCursor(cursor: string, kinds: readonly ('string' | 'number')[]): CursorValues {
  const values = parsed(cursor);
  if (
    !Array.isArray(values) ||
    values.length !== kinds.length ||
    !values.every((value, index) => fits(value, kinds[index]))
  )
    throw ValidationError.of('cursor', 'malformed_cursor', 'must be a next_cursor of this list');
  return values as CursorValues;
}

function fits(value: unknown, kind: 'string' | 'number' | undefined): boolean {
  if (typeof value === 'string') return kind === 'string' && value.isWellFormed() && !value.includes('\0');
  return kind === 'number' && Number.isFinite(value);
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
