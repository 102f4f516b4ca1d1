import { NotFoundError, UnavailableError } from '../errors/index.js';

/** Seconds after which a client may try again: about the duration of a build of the docs site. */
const RETRY_AFTER_SECONDS = 10;

export class DocsPageNotFoundError extends NotFoundError {
  constructor() {
    super('docs page');
  }
}

export class DocsMissingError extends UnavailableError {
  constructor() {
    super(
      'The docs site is not built yet. If "npm start" is building it in the background, try again in a few seconds. Otherwise run "npm run docs".',
      RETRY_AFTER_SECONDS,
    );
  }
}
