/**
 * Thrown when a shutdown interrupts an attempt. The attempt does not count as failed; it runs again with the same
 * attempt number.
 */
export class AttemptInterruptedError extends Error {
  override readonly name = 'AttemptInterruptedError';

  constructor() {
    super('The service is shutting down.');
  }
}
