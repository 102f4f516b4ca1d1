import type { LongValuePlace } from '../long-values/index.js';
import type { StoredEvent } from '../execution-events/index.js';
import { UnavailableError } from '../errors/index.js';

/** Seconds until clients retry. A newer version of the service may serve the retry. */
const RETRY_SECONDS = 30;

/** Thrown when an event is unknown to this version of the service: during a rolling upgrade, or after a rollback. */
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
    super(`${bytes} more bytes exceed the available memory.`);
  }
}

/** Thrown when retention has deleted a value that is to be copied. */
export class PayloadGoneError extends Error {
  override readonly name = 'PayloadGoneError';

  constructor({ executionId, sequence, field }: LongValuePlace) {
    super(`The ${field} of event ${sequence} of execution ${executionId} was deleted.`);
  }
}
