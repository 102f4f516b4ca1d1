import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeError } from '../errors/error.filter.js';
import { requestIdOf } from './request-id.js';
import { pathOf } from './request-path.js';
import { ServiceError } from '../../errors/index.js';

/** Thrown when a worker gets a request for a path that only processes with the role `api` or `all` serve. */
class NotServedHereError extends ServiceError {
  constructor() {
    super(
      404,
      'path_not_found',
      'This process only runs executions. Send requests to a process with ROLE=api or ROLE=all.',
    );
  }
}

export function isAmong(paths: readonly string[], request: IncomingMessage): boolean {
  return paths.includes(pathOf(request.url ?? ''));
}

export function refusePath(request: IncomingMessage, response: ServerResponse): void {
  writeError(response, new NotServedHereError(), requestIdOf(request));
}
