import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AuthenticatedRequest } from '../access/index.js';
import { ValidationError } from '../errors/index.js';
import { Idempotency } from './idempotency.js';
import type { MadeResource, StoredResponse } from './key-claim.js';

/** Names of the response headers that are stored for repeated requests. */
const STORED_HEADERS = ['Location', 'ETag', 'Cache-Control'];

export interface KeyedRequest<T> {
  readonly request: Request & AuthenticatedRequest;
  readonly response: Response;
  /** Performs the request, sets the status code and headers of the response, and returns the body. */
  readonly perform: () => Promise<T>;
  /**
   * Renders the response body from the created resource and sets the headers. Called for a repeated request if the
   * response of the first request was not stored.
   */
  readonly render: (resource: MadeResource) => Promise<unknown>;
  /** Removes secrets from the response body before it is stored, because secrets are shown only once. */
  readonly withoutSecrets?: (body: T) => unknown;
}

@Injectable()
export class KeyedRequests {
  constructor(private readonly idempotency: Idempotency) {}

  /**
   * @returns the body of this response; for a repeated key, the body of the first response
   *
   * @throws IdempotencyError when a different request used the key, or the first request is in progress.
   */
  respond<T>(keyed: KeyedRequest<T>): Promise<unknown> {
    const header = keyed.request.headers['idempotency-key'];
    return header === undefined ? keyed.perform() : this.once(keyed, keyOf(header));
  }

  private async once<T>(keyed: KeyedRequest<T>, key: string): Promise<unknown> {
    const { request, response, perform, render, withoutSecrets } = keyed;
    const { principal, method, path } = request;
    // Idempotency keys are separate for each team, because a signed-in person can switch between teams.
    const owner = `${principal?.keyId ?? principal?.userId ?? ''} ${principal?.teamId ?? ''}`;
    const body = request.body as unknown;
    const outcome = await this.idempotency.run({ owner, method, path, key, body }, perform, (result) =>
      storedResponse(response, withoutSecrets === undefined ? result : withoutSecrets(result)),
    );
    if (outcome.kind === 'performed') return outcome.result;
    response.setHeader('Idempotent-Replayed', 'true');
    if (outcome.kind === 'made') return await render(outcome.resource);
    const { status, headers, body: text } = outcome.response;
    response.status(status).set({ ...headers });
    return JSON.parse(text) as unknown;
  }
}

function storedResponse(response: Response, body: unknown): StoredResponse {
  const headers: Record<string, string> = {};
  for (const name of STORED_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  return { status: response.statusCode, headers, body: JSON.stringify(body) };
}

function keyOf(header: string | readonly string[]): string {
  const text = typeof header === 'string' ? header : header.join(',');
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw ValidationError.of('Idempotency-Key', 'invalid_header', 'must be 1 to 255 printable characters');
  return key;
}
