import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ValidationError } from '../http/errors.js';
import { Idempotency } from './idempotency.js';

/** What the interceptor reads of whoever passed the guard. */
interface CallerRequest extends Request {
  readonly principal?: { readonly keyId: string | null; readonly userId: string; readonly teamId?: string };
}

/** Honours the `Idempotency-Key` header. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: Idempotency) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const header = request.headers['idempotency-key'];
    if (header === undefined) return next.handle();
    const key = keyOf(header);
    const response = context.switchToHttp().getResponse<Response>();
    return from(this.handle(request, response, key, next));
  }

  private async handle(
    request: CallerRequest,
    response: Response,
    key: string,
    next: CallHandler,
  ): Promise<unknown> {
    const { principal, method, path } = request;
    // With the team, since a person who is signed in may look at another one by now.
    const owner = `${principal?.keyId ?? principal?.userId ?? ''} ${principal?.teamId ?? ''}`;
    const body: unknown = request.body;
    const outcome = await this.idempotency.run({ owner, method, path, key, body }, () =>
      lastValueFrom(next.handle()),
    );
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

/** For every POST that creates: repeating it with the same `Idempotency-Key` gives the first answer again. */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes the request safe to repeat for 24 hours: the same key and body give the first answer again.',
      schema: { type: 'string', minLength: 1, maxLength: 255, example: 'order-4711' },
    }),
  );
}
