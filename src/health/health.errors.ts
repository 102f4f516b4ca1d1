import { ServiceError } from '../errors/index.js';
import type { Checks } from './checks.js';

/** Thrown when this process cannot handle requests because a dependency does not respond. */
export class NotReadyError extends ServiceError {
  /** @param reason errors of the failed probes, for the log */
  constructor(checks: Checks, reason?: unknown) {
    super(503, 'not_ready', 'A dependency of the service does not respond.', {
      details: { checks },
      cause: reason,
      retryAfterSeconds: 1,
    });
  }
}

/** Thrown when this process is shutting down and should get no more requests. */
export class ShuttingDownError extends ServiceError {
  constructor() {
    super(503, 'shutting_down', 'This process is shutting down. Send the request to another process.', {
      retryAfterSeconds: 1,
    });
  }
}
