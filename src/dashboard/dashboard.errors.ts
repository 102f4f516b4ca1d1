import { NotFoundError, UnavailableError } from '../errors/index.js';

/** Somebody has to build it first. */
const RETRY_AFTER_SECONDS = 60;

/** Thrown when a page asks for a file that the built dashboard does not have. */
export class DashboardFileNotFoundError extends NotFoundError {
  constructor() {
    super('dashboard file');
  }
}

/** Thrown when the dashboard is asked for and was not built. */
export class DashboardMissingError extends UnavailableError {
  /** @param reason half a sentence: `it was not built` */
  constructor(reason: string) {
    super(
      `The dashboard is missing: ${reason}. Run "npm run build" and start the service again.`,
      RETRY_AFTER_SECONDS,
    );
  }
}
