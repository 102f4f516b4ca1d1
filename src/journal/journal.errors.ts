import type { StoredEvent } from '../engine/index.js';
import { UnavailableError } from '../platform/index.js';

/** A newer version of the service may be there by then. */
const RETRY_SECONDS = 30;

/**
 * Thrown when something is to be made of an event that this version of the service does not know, as while processes
 * of two versions run side by side, or after a roll-back.
 */
export class UnknownEventError extends UnavailableError {
  constructor({ type, version }: Pick<StoredEvent, 'type' | 'version'>) {
    super(
      `The journal holds an event "${type}" of version ${version}, which this version of the service does not know; a newer one does.`,
      RETRY_SECONDS,
    );
  }
}
