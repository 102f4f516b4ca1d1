import { ServiceError } from '../errors/index.js';
import type { Checks } from './checks.js';

/** Thrown when a dependency does not respond, so that this process is not ready for requests. */
export class NotReadyError extends ServiceError {
  /** @param reason errors of the failed probes, for the log */
  constructor(checks: Checks, reason?: unknown) {
    super(503, 'not_ready', 'A dependency of the service, such as the database, does not respond.', {
      details: { checks },
      cause: reason,
      retryAfterSeconds: 1,
    });
  }
}

export class ShuttingDownError extends ServiceError {
  constructor() {
    super(503, 'shutting_down', 'This process is shutting down. Send the request to another process.', {
      retryAfterSeconds: 1,
    });
  }
}
