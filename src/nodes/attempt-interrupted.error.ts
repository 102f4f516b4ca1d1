/** Thrown when a shutdown interrupts an attempt. The same attempt runs again later. */
export class AttemptInterruptedError extends Error {
  override readonly name = 'AttemptInterruptedError';

  constructor() {
    super('The service is shutting down.');
  }
}
