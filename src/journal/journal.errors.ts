import type { LongValuePlace } from '../long-values/index.js';
import type { StoredEvent } from '../execution-events/index.js';
import { UnavailableError } from '../errors/index.js';

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

/** Thrown when an execution's events would take more than it may still store. Nothing was written. */
export class JournalFullError extends Error {
  override readonly name = 'JournalFullError';

  constructor(
    /** What the refused events would have added. */
    readonly bytes: number,
  ) {
    super(`There is no room for ${bytes} more bytes.`);
  }
}

/** Thrown when a value that is to be copied was removed by retention. */
export class PayloadGoneError extends Error {
  override readonly name = 'PayloadGoneError';

  constructor({ executionId, sequence, field }: LongValuePlace) {
    super(`The ${field} of event ${sequence} of execution ${executionId} was removed.`);
  }
}
