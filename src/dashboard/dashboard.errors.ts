import { NotFoundError, UnavailableError } from '../errors/index.js';

/**
 * Value of the header `Retry-After`, in seconds, while the dashboard is missing. The value is high, because only a new
 * build adds the dashboard.
 */
const RETRY_AFTER_SECONDS = 60;

export class DashboardFileNotFoundError extends NotFoundError {
  constructor() {
    super('dashboard file');
  }
}

export class DashboardMissingError extends UnavailableError {
  /** @param reason sentence fragment: `it was not built` */
  constructor(reason: string) {
    super(
      `The dashboard is not available: ${reason}. Run "npm run build" and restart the service.`,
      RETRY_AFTER_SECONDS,
    );
  }
}
