import { NotFoundError, UnavailableError } from '../errors/index.js';

/** Retries help only after a build, so the interval is long. */
const RETRY_AFTER_SECONDS = 60;

/** Thrown when a requested file is not part of the built dashboard. */
export class DashboardFileNotFoundError extends NotFoundError {
  constructor() {
    super('dashboard file');
  }
}

/** Thrown when the dashboard is requested but was not built. */
export class DashboardMissingError extends UnavailableError {
  /** @param reason sentence fragment: `it was not built` */
  constructor(reason: string) {
    super(
      `The dashboard is missing: ${reason}. Run "npm run build" and start the service again.`,
      RETRY_AFTER_SECONDS,
    );
  }
}
