/** Thrown when the service will not let the stream go on: a key that is wrong or revoked, a filter out of reach. */
export class StreamRefusedError extends Error {
  override readonly name = 'StreamRefusedError';

  /** The error's `code`, for example `revoked_key`; `closed` where the service named none. */
  readonly code: string;
  /** The socket's close code; null where it did not close. */
  readonly closeCode: number | null;

  constructor(code: string, message: string, closeCode: number | null) {
    super(message);
    this.code = code;
    this.closeCode = closeCode;
  }
}

/**
 * Thrown when the service no longer has the events after the cursor. Read the state anew and begin a stream
 * after `oldestCursor` (every event there still is) or without a cursor (live from now on).
 */
export class CursorExpiredError extends Error {
  override readonly name = 'CursorExpiredError';

  readonly oldestCursor: string;

  constructor(oldestCursor: string) {
    super('The events after this cursor are older than what the service keeps.');
    this.oldestCursor = oldestCursor;
  }
}
