import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { errorBody } from './error-answer.js';
import { ServiceError } from './service-error.js';
import { REQUEST_ID_HEADER } from './request-id.js';

/** Thrown when a request is so malformed that Node's HTTP parser gives up on it. */
class MalformedRequestError extends ServiceError {}

/**
 * Answers faults of the HTTP parser, which no filter ever sees, in the shape of every other error, and closes.
 * Also takes over what Node would answer by itself with an empty body: a missing `Host`, an odd `Expect`.
 */
export function answerParserErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else socket.end(parserErrorAnswer(error.code));
  });
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** A whole HTTP response. */
function parserErrorAnswer(code: string | undefined): string {
  const requestId = randomUUID();
  const error = parserError(code);
  const body = JSON.stringify(errorBody(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${error.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'X-Content-Type-Options: nosniff',
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
      return refusal(
        400,
        'request_timeout',
        'request',
        'did not arrive in time',
        'The request did not arrive in time.',
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
