import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;
const REQUEST_ID = Symbol('requestId');

interface IdentifiedRequest extends IncomingMessage {
  [REQUEST_ID]?: string;
}

/** Assigns an id to the request, and adds the id to the response. A valid id from the client is kept. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader(REQUEST_ID_HEADER, requestIdOf(request));
}

/** The id of a request, the same in every call. */
export function requestIdOf(request: IncomingMessage): string {
  const identified = request as IdentifiedRequest;
  return (identified[REQUEST_ID] ??= acceptedId(request.headers['x-request-id']) ?? randomUUID());
}

function acceptedId(sent: string | readonly string[] | undefined): string | undefined {
  return typeof sent === 'string' && ACCEPTED.test(sent) ? sent : undefined;
}
