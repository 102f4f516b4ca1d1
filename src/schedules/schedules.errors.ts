import { ConflictError, NotFoundError } from '../errors/index.js';

export class ScheduleNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('schedule', id);
  }
}

export class BackfillNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('backfill', id);
  }
}

export class ScheduleChangedError extends ConflictError {
  constructor() {
    super(
      'schedule_changed',
      'The schedule was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}

/** Thrown when a schedule without further scheduled times is paused or resumed. */
export class ScheduleEndedError extends ConflictError {
  constructor() {
    super('schedule_ended', 'The schedule has ended. Change its timing to make it fire again.');
  }
}

/** Thrown by a commit when another process handled the scheduled time, or a client changed the schedule. */
export class InstantTakenError extends Error {
  override readonly name = 'InstantTakenError';
}
