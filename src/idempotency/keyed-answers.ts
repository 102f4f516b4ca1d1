import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ValidationError } from '../http/index.js';
import { Idempotency } from './idempotency.js';

/** What is read of whoever passed the guard. */
interface CallerRequest extends Request {
  readonly principal?: { readonly keyId: string | null; readonly userId: string; readonly teamId?: string };
}

/** Honours the `Idempotency-Key` header of a request. */
@Injectable()
export class KeyedAnswers {
  constructor(private readonly idempotency: Idempotency) {}

  /**
   * The body of the answer: what `work` gives, or, where the key was seen before, what was answered then; its status and
   * headers are set on the response.
   * @throws IdempotencyError when the key came with another request, or the first is still running.
   */
  of(request: CallerRequest, response: Response, work: () => Promise<unknown>): Promise<unknown> {
    const header = request.headers['idempotency-key'];
    return header === undefined ? work() : this.once(request, response, keyOf(header), work);
  }

  private async once(
    { principal, method, path, body }: CallerRequest,
    response: Response,
    key: string,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    // With the team, since a person who is signed in may look at another one by now.
    const owner = `${principal?.keyId ?? principal?.userId ?? ''} ${principal?.teamId ?? ''}`;
    const outcome = await this.idempotency.run({ owner, method, path, key, body: body as unknown }, work);
    if ('result' in outcome) return outcome.result;
    const { status, headers, body: answer } = outcome.replayed;
    response.status(status).setHeader('Idempotent-Replayed', 'true');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return answer;
  }
}

function keyOf(header: string | readonly string[]): string {
  const text = typeof header === 'string' ? header : header.join(',');
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw ValidationError.of('Idempotency-Key', 'invalid_header', 'must be 1 to 255 printable characters');
  return key;
}
