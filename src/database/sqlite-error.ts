export class SqliteError extends Error {
  override readonly name = 'SqliteError';

  /** @param code for example `SQLITE_BUSY` */
  constructor(
    message: string,
    readonly code: string | null,
  ) {
    super(message);
  }
}
