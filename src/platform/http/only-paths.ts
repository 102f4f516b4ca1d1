import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeError } from './error.filter.js';
import { requestIdOf } from './request-id.js';
import { ServiceError } from './service-error.js';

/** Thrown when a process that only runs executions is asked for anything but its probes. */
class NotServedHereError extends ServiceError {
  constructor() {
    super(
      404,
      'path_not_found',
      'This process runs executions; the API is answered by processes with ROLE=api.',
    );
  }
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Express middleware: answers everything but some paths with 404. */
export function onlyPaths(paths: readonly string[]): Middleware {
  const served = new Set(paths);
  return (request, response, next) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (served.has(path)) next();
    else writeError(response, new NotServedHereError(), requestIdOf(request));
  };
}
