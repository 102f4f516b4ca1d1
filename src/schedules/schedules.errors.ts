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

/** Thrown when a client pauses or resumes a schedule that has no further scheduled times. */
export class ScheduleEndedError extends ConflictError {
  constructor() {
    super('schedule_ended', 'The schedule has ended. Change its timing to make it fire again.');
  }
}

/**
 * Thrown by a commit when another process has already handled the scheduled time, or a client has changed the schedule
 * in the meantime.
 */
export class InstantTakenError extends Error {
  override readonly name = 'InstantTakenError';
}
