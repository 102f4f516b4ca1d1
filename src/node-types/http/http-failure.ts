import { NodeFailure } from '../../node-contract/index.js';
import { EgressDeniedError } from './egress-policy.js';
import { type HttpResponse, responseJson } from './http-response.js';

/** Retryable statuses below 500: request timeout, too early, too many requests. */
const PASSING_STATUSES = [408, 425, 429];

export function statusFailure(response: HttpResponse): NodeFailure {
  const { status } = response;
  return new NodeFailure('http_status_error', `The server responded with status ${status}.`, {
    details: responseJson(response),
    // An unaccepted 2xx status means "not ready yet", such as the 202 of a running job.
    retryable: status < 300 || status >= 500 || PASSING_STATUSES.includes(status),
  });
}

export function invalidJson(response: HttpResponse, origin: string): NodeFailure {
  const message = `The response of ${origin} is declared as JSON but is not valid JSON.`;
  return new NodeFailure('http_invalid_json', message, { details: responseJson(response) });
}

/**
 * The failure for a connection error. The message contains only the origin, because the rest of the URL may contain
 * secrets.
 */
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
