import { texts } from '../texts/en/api.ts';
import { availability } from './availability.ts';

/** Thrown when a chunk of the dashboard no longer exists because a newer version was deployed. */
export class NewVersionError extends Error {
  override readonly name = 'NewVersionError';

  constructor(cause: unknown) {
    super(texts.newVersion, { cause });
  }
}

/**
 * Loads a chunk of the dashboard and waits while the service is unavailable.
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
