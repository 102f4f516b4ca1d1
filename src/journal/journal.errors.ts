import type { LongValuePlace } from '../long-values/index.js';
import type { StoredEvent } from '../execution-events/index.js';
import { UnavailableError } from '../errors/index.js';

/** Seconds until clients retry. By then, a newer version of the service may handle the request. */
const RETRY_SECONDS = 30;

/**
 * Thrown when this service version does not know an event, for example during a rolling upgrade or after a rollback.
 */
export class UnknownEventError extends UnavailableError {
  constructor({ type, version }: Pick<StoredEvent, 'type' | 'version'>) {
    super(
      `The journal contains an event "${type}" of version ${version}, which only a newer version of the service knows.`,
      RETRY_SECONDS,
    );
  }
}

/** Thrown when events would exceed the storage limit of their execution. Nothing was written. */
export class JournalFullError extends Error {
  override readonly name = 'JournalFullError';

  constructor(
    /** Size of the refused events, in bytes. */
    readonly bytes: number,
  ) {
    super(`${bytes} bytes of events exceed the storage limit of their execution.`);
  }
}

/** Thrown when a value should be copied that retention has deleted. */
export class PayloadGoneError extends Error {
  override readonly name = 'PayloadGoneError';

  constructor({ executionId, sequence, field }: LongValuePlace) {
    super(`The ${field} of event ${sequence} of execution ${executionId} was deleted.`);
  }
}
