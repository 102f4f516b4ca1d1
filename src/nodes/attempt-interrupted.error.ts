/** Thrown when the end of the service cuts an attempt off: it is no failure, and runs again under the same number. */
export class AttemptInterruptedError extends Error {
  override readonly name = 'AttemptInterruptedError';

  constructor() {
    super('The service is ending.');
  }
}
