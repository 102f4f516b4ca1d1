/** Thrown if the data of a SQLite file cannot be transferred. The message says why, and what to do. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
}
