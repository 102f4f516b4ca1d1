/**
 * Thrown when the service refuses the stream. For example, the key is invalid or revoked, or the filter names a
 * resource to which the key has no access.
 */
export class StreamRefusedError extends Error {
  override readonly name = 'StreamRefusedError';

  /** The `code` of the error, for example `revoked_key`; `closed` if the service named none. */
  readonly code: string;
  /** The close code of the socket; null if the socket was not closed. */
  readonly closeCode: number | null;

  constructor(code: string, message: string, closeCode: number | null) {
    super(message);
    this.code = code;
    this.closeCode = closeCode;
  }
}

/**
 * Thrown when the service no longer has the events after the cursor. Read the current state again, then start a stream
 * after `oldestCursor` (all retained events) or without a cursor (live events only).
 */
export class CursorExpiredError extends Error {
  override readonly name = 'CursorExpiredError';

  readonly oldestCursor: string;

  constructor(oldestCursor: string) {
    super('The events after this cursor have been deleted by retention. Read from the oldest event.');
    this.oldestCursor = oldestCursor;
  }
}
