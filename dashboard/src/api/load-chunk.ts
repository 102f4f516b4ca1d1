import { availability } from './availability.ts';

/** Thrown when a part of the dashboard cannot be loaded though the service answers: it has another version by now. */
export class NewVersionError extends Error {
  override readonly name = 'NewVersionError';

  constructor(cause: unknown) {
    super('The service has another version now. Reload the page to go on.', { cause });
  }
}

/**
 * Loads a part of the dashboard, and waits for the service while that is unavailable.
 * @throws NewVersionError
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await availability.confirmed();
  }
  try {
    return await load();
  } catch (error) {
    throw new NewVersionError(error);
  }
}
