import { NotFoundError, UnavailableError } from '../errors/index.js';

/** Interval for retries: about the time that a build of the site takes. */
const RETRY_AFTER_SECONDS = 10;

/** Thrown when a requested page is not part of the docs site. */
export class DocsPageNotFoundError extends NotFoundError {
  constructor() {
    super('docs page');
  }
}

/** Thrown when the docs site is requested but was not built. */
export class DocsMissingError extends UnavailableError {
  constructor() {
    super(
      'The docs site is not built yet. If "npm start" is building it in the background, try again in some seconds. Otherwise run "npm run docs".',
      RETRY_AFTER_SECONDS,
    );
  }
}
