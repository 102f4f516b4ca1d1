/**
 * Thrown when the service refuses the stream, for example because the key is invalid or revoked, or because the filter
 * names a resource that the key cannot access.
 */
export class StreamRefusedError extends Error {
  override readonly name = 'StreamRefusedError';

  /** The error code of the service, for example `revoked_key`. It is `closed` if the service sent no error code. */
  readonly code: string;
  /** The close code of the socket. Null if the service did not close the socket. */
  readonly closeCode: number | null;

  constructor(code: string, message: string, closeCode: number | null) {
    super(message);
    this.code = code;
    this.closeCode = closeCode;
  }
}

/**
 * Thrown when the service has deleted the events after the cursor. Read the current state again. Then start a stream
 * after `oldestCursor` to receive all retained events, or without a cursor to receive only new events.
 */
export class CursorExpiredError extends Error {
  override readonly name = 'CursorExpiredError';

  readonly oldestCursor: string;

  constructor(oldestCursor: string) {
    super('The events after this cursor have been deleted by retention. Read from the oldest event.');
    this.oldestCursor = oldestCursor;
  }
}
