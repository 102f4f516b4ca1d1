import { ServiceError } from '../errors/index.js';
import type { Checks } from './checks.js';

/** Thrown when this process should get no requests now because a dependency does not respond. */
export class NotReadyError extends ServiceError {
  /** @param reason for the log */
  constructor(checks: Checks, reason?: unknown) {
    super(503, 'not_ready', 'Something that the service needs does not answer.', {
      details: { checks },
      cause: reason,
      retryAfterSeconds: 1,
    });
  }
}

/** Thrown when this process should get no more requests because it is shutting down. */
export class ShuttingDownError extends ServiceError {
  constructor() {
    super(503, 'shutting_down', 'This process is about to end; another one answers.', {
      retryAfterSeconds: 1,
    });
  }
}
