/** Thrown when a command cannot do what it was asked for; its message is all that the person is shown. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Thrown when a command has said all that it has to say, and ends with an exit code other than 0. */
export class CommandEnd extends Error {
  override readonly name = 'CommandEnd';

  constructor(readonly exitCode: number) {
    super(`exit code ${exitCode}`);
  }
}
