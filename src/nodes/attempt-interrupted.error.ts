/**
 * Thrown when a shutdown interrupts an attempt: it does not count as a failure and runs again with the same attempt
 * number.
 */
export class AttemptInterruptedError extends Error {
  override readonly name = 'AttemptInterruptedError';

  constructor() {
    super('The service is ending.');
  }
}
