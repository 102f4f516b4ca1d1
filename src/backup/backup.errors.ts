/** Thrown when a database cannot be copied or replaced. The message says why, and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
