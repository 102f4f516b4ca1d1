import { NodeFailure } from '../../node-contract/index.js';
import { EgressDeniedError } from './egress-policy.js';
import { type HttpResponse, responseJson } from './http-response.js';

/**
 * Statuses below 500 after which a retry may succeed: 408 (request timeout), 425 (too early) and 429 (too many
 * requests).
 */
const TRANSIENT_STATUSES = [408, 425, 429];

export function statusFailure(response: HttpResponse): NodeFailure {
  const { status } = response;
  return new NodeFailure('http_status_error', `The server responded with status ${status}.`, {
    details: responseJson(response),
    // A 2xx status that the node does not accept means "not ready yet", such as 202 for a job that still runs.
    retryable: status < 300 || status >= 500 || TRANSIENT_STATUSES.includes(status),
  });
}

export function invalidJson(response: HttpResponse, origin: string): NodeFailure {
  const message = `The response of ${origin} is declared as JSON but is not valid JSON.`;
  return new NodeFailure('http_invalid_json', message, { details: responseJson(response) });
}

/**
 * Converts an error during a request to a failure of the node. The message contains only the origin of the URL, because
 * the rest of the URL may contain secrets.
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
