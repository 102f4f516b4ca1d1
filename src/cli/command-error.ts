/**
 * Thrown when a command cannot do what the user requested. The CLI prints only the message of this error, without a
 * stack trace.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Thrown to end a command whose output is complete, with an exit code other than 0. */
export class CommandEnd extends Error {
  override readonly name = 'CommandEnd';

  constructor(readonly exitCode: number) {
    super(`exit code ${exitCode}`);
  }
}
