/** Thrown when a database cannot be copied or replaced. The message contains the reason and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
