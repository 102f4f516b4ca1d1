import { ConflictError, NotFoundError } from '../errors/index.js';

/** Thrown when there is no schedule of an id, or it was deleted. */
export class ScheduleNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('schedule', id);
  }
}

/** Thrown when a schedule has no backfill with an id. */
export class BackfillNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('backfill', id);
  }
}

/** Thrown when a schedule was changed by somebody else in the same moment. */
export class ScheduleChangedError extends ConflictError {
  constructor() {
    super(
      'schedule_changed',
      'The schedule was changed in the same moment; read it again and repeat the change.',
    );
  }
}

/** Thrown when a schedule that has no instants left is paused or resumed. */
export class ScheduleEndedError extends ConflictError {
  constructor() {
    super('schedule_ended', 'The schedule has ended; change its timing to give it further instants.');
  }
}

/** Thrown when another process, or a change by a client, took the instant of a schedule first. */
export class InstantTakenError extends Error {
  override readonly name = 'InstantTakenError';
}
