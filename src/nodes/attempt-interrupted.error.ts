/**
 * Thrown when a shutdown of the process interrupts an attempt. The attempt runs again later, with the same attempt
 * number.
 */
export class AttemptInterruptedError extends Error {
  override readonly name = 'AttemptInterruptedError';

  constructor() {
    super('The service is shutting down, so this attempt was interrupted.');
  }
}
