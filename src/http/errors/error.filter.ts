import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Logger, Optional } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, errorHeaders, serviceError } from './error-answer.js';
import { requestIdOf } from '../edge/request-id.js';
import { pathOf } from '../edge/request-path.js';
import type { ServiceError } from '../../errors/index.js';

/** Injection token of an optional listener, which gets every error of a request except internal errors. */
export const REFUSAL_LISTENER = Symbol('REFUSAL_LISTENER');

export interface RefusalListener {
  record(error: ServiceError, request: IncomingMessage): void;
}

/** Converts every exception to an error response. Logs the details of internal errors, which callers must not see. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(@Optional() @Inject(REFUSAL_LISTENER) private readonly refusals?: RefusalListener) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') {
      // WebSocket gateways handle their own errors, so an error that arrives here is unexpected.
      this.logger.error({ err: thrown, msg: `A ${host.getType()} handler failed.` });
      return;
    }
    const request = host.switchToHttp().getRequest<IncomingMessage>();
    const response = host.switchToHttp().getResponse<ServerResponse>();
    const error = serviceError(thrown);
    // A failed execution is not logged as an error of the service, although the response has status 502. The
    // failure is a result for the user.
    if (error.status >= 500 && error.type !== 'execution_failed_error') this.log(error, request);
    else this.refusals?.record(error, request);
    if (response.headersSent) response.destroy();
    else writeError(response, error, requestIdOf(request));
  }

  private log(error: ServiceError, request: IncomingMessage): void {
    const path = pathOf(request.url ?? '');
    const entry = {
      request_id: requestIdOf(request),
      method: request.method,
      path,
      code: error.code,
      err: error.cause ?? error,
    };
    if (error.status === 503) this.logger.warn({ ...entry, msg: error.message });
    else this.logger.error({ ...entry, msg: 'A request failed.' });
  }
}

/** Sends an error response. Removes headers of an earlier body, such as `ETag`. */
export function writeError(response: ServerResponse, error: ServiceError, requestId: string): void {
  const body = Buffer.from(JSON.stringify(errorBody(error, requestId)));
  response.statusCode = error.status;
  response.removeHeader('Content-Encoding');
  response.removeHeader('ETag');
  for (const [name, value] of Object.entries(errorHeaders(error))) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.end(body);
}
