import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeError } from '../errors/error.filter.js';
import { requestIdOf } from './request-id.js';
import { pathOf } from './request-path.js';
import { ServiceError } from '../../errors/index.js';

/** Thrown when a worker process gets a request other than for its probes. */
class NotServedHereError extends ServiceError {
  constructor() {
    super(
      404,
      'path_not_found',
      'This process runs executions; the API is answered by processes with ROLE=api.',
    );
  }
}

/** Whether a request is for one of some paths. */
export function isAmong(paths: readonly string[], request: IncomingMessage): boolean {
  return paths.includes(pathOf(request.url ?? ''));
}

/** Answers 404. */
export function refusePath(request: IncomingMessage, response: ServerResponse): void {
  writeError(response, new NotServedHereError(), requestIdOf(request));
}
