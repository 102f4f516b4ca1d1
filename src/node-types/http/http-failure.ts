import { NodeFailure } from '../../node-contract/index.js';
import { EgressDeniedError } from './egress-policy.js';
import { type HttpResponse, responseJson } from './http-response.js';

/** Statuses below 500 that may be gone at the next attempt: request timeout, too early, too many requests. */
const PASSING_STATUSES = [408, 425, 429];

/** The failure that a response stands for whose status was not among the accepted ones. */
export function statusFailure(response: HttpResponse): NodeFailure {
  const { status } = response;
  return new NodeFailure('http_status_error', `The server answered with status ${status}.`, {
    details: responseJson(response),
    // A 2xx that was not accepted says "not yet", as a 202 of a job that is polled does.
    retryable: status < 300 || status >= 500 || PASSING_STATUSES.includes(status),
  });
}

/** The failure that an accepted response stands for whose body is not the JSON that it says it is. */
export function invalidJson(response: HttpResponse, origin: string): NodeFailure {
  const message = `The response of ${origin} says that it is JSON and is not.`;
  return new NodeFailure('http_invalid_json', message, { details: responseJson(response) });
}

/** Says what went wrong on the way to or from a server. The origin alone is named: the rest may hold secrets. */
export function exchangeFailure(error: unknown, origin: string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  if (error instanceof EgressDeniedError)
    return new NodeFailure('egress_denied', error.message, { retryable: false });
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG')
    return new NodeFailure('http_invalid_request', `The request cannot be sent: ${messageOf(error)}.`, {
      retryable: false,
    });
  if (code !== null && /^(Z_|ERR__)/.test(code))
    return new NodeFailure('http_invalid_encoding', `The response of ${origin} cannot be decoded (${code}).`);
  return new NodeFailure(
    'http_connection_error',
    `The connection to ${origin} failed: ${code ?? messageOf(error)}.`,
  );
}

function codeOf(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
