import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;
const REQUEST_ID = Symbol('requestId');

interface IdentifiedRequest extends IncomingMessage {
  [REQUEST_ID]?: string;
}

/** Adds the id of a request to its response as `X-Request-Id`. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader(REQUEST_ID_HEADER, requestIdOf(request));
}

/**
 * The id of a request: the header `X-Request-Id` of the client if it is valid, or else a random UUID. Every call for
 * the same request returns the same id.
 */
export function requestIdOf(request: IncomingMessage): string {
  const identified = request as IdentifiedRequest;
  return (identified[REQUEST_ID] ??= acceptedId(request.headers['x-request-id']) ?? randomUUID());
}

function acceptedId(sent: string | readonly string[] | undefined): string | undefined {
  return typeof sent === 'string' && ACCEPTED.test(sent) ? sent : undefined;
}
