/** Thrown when a command cannot do what it was asked for; its message is all that the person is shown. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
