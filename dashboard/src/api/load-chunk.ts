import { texts } from '../texts/en/api.ts';
import { availability } from './availability.ts';

/**
 * Thrown when a chunk of the dashboard's code cannot be loaded, usually because a deployment replaced it with a newer
 * version.
 */
export class NewVersionError extends Error {
  override readonly name = 'NewVersionError';

  constructor(cause: unknown) {
    super(texts.newVersion, { cause });
  }
}

/**
 * Loads a chunk of the dashboard's code. After a failure, the function waits until the service is available and tries
 * once more.
 * @throws NewVersionError if the second try fails
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
