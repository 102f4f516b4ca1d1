import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { errorBody } from '../errors/error-answer.js';
import { ServiceError } from '../../errors/index.js';
import { REQUEST_ID_HEADER } from './request-id.js';

/** Thrown when a request is not valid HTTP or arrives too slowly. */
class MalformedRequestError extends ServiceError {}

/** Thrown when an address has too many open unauthenticated connections. */
class TooManyConnectionsError extends ServiceError {}

/** Seconds after which a client whose connection was refused may connect again. */
const RETRY_SECONDS = 1;

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
};

/**
 * Sends errors of the HTTP parser of Node.js in the error format of the API. Exception filters of NestJS do not see
 * these errors.
 */
export function answerParserErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else socket.end(parserErrorAnswer(error.code));
  });
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

export function parserErrorAnswer(code: string | undefined): string {
  const requestId = randomUUID();
  const error = parserError(code);
  const body = JSON.stringify(errorBody(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${REASONS[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    ...(error.status === 429 ? [`Retry-After: ${RETRY_SECONDS}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function parserError(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refusal(
        431,
        'headers_too_large',
        'headers',
        'are larger than 16 KiB',
        'The headers of the request are too large.',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout();
    case 'TOO_MANY_CONNECTIONS':
      return new TooManyConnectionsError(
        429,
        'too_many_connections',
        'This address has too many connections without a valid key. Close some of them, or authenticate.',
        { retryAfterSeconds: RETRY_SECONDS },
      );
    default:
      return refusal(
        400,
        'malformed_request',
        'request',
        'is not well-formed HTTP',
        'The request is not well-formed HTTP.',
      );
  }
}

export function requestTimeout(): ServiceError {
  return refusal(
    400,
    'request_timeout',
    'request',
    'did not arrive in time',
    'The request did not arrive in time.',
  );
}

function refusal(
  status: 400 | 431,
  code: string,
  field: string,
  reason: string,
  message: string,
): ServiceError {
  return new MalformedRequestError(status, code, message, {
    details: { field, reason, errors: [{ field, code, reason }] },
  });
}
