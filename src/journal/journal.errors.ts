import type { LongValuePlace } from '../long-values/index.js';
import type { StoredEvent } from '../execution-events/index.js';
import { UnavailableError } from '../errors/index.js';

/**
 * Seconds after which clients should repeat a request that failed with `UnknownEventError`. By then, a newer version of
 * the service may handle the request.
 */
const RETRY_SECONDS = 30;

/** Thrown when the journal contains an event of a newer service version, for example during a rolling upgrade. */
export class UnknownEventError extends UnavailableError {
  constructor({ type, version }: Pick<StoredEvent, 'type' | 'version'>) {
    super(
      `The journal contains an event "${type}" of version ${version}, which only a newer version of the service knows.`,
      RETRY_SECONDS,
    );
  }
}

/** Thrown when events would exceed the storage limit of their execution. */
export class JournalFullError extends Error {
  override readonly name = 'JournalFullError';

  constructor(readonly bytes: number) {
    super(`The execution has no room for ${bytes} more bytes of events (EXECUTION_MAX_BYTES).`);
  }
}

export class PayloadGoneError extends Error {
  override readonly name = 'PayloadGoneError';

  constructor({ executionId, sequence, field }: LongValuePlace) {
    super(`The ${field} of event ${sequence} of execution ${executionId} was deleted.`);
  }
}
