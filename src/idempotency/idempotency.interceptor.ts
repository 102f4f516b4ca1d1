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
import { ApiErrors } from '../http/index.js';
import { KeyedAnswers } from './keyed-answers.js';

/** Honours the `Idempotency-Key` header around a handler. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly answers: KeyedAnswers) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const work = (): Promise<unknown> => lastValueFrom(next.handle());
    return from(this.answers.of(http.getRequest<Request>(), http.getResponse<Response>(), work));
  }
}

/** For every POST that creates: repeating it with the same `Idempotency-Key` gives the first answer again. */
export function Idempotent(): MethodDecorator {
  return applyDecorators(UseInterceptors(IdempotencyInterceptor), TakesIdempotencyKey());
}

/** The same for a handler that asks `KeyedAnswers` itself. */
export function TakesIdempotencyKey(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes the request safe to repeat for 24 hours: the same key and body give the first answer again.',
      schema: { type: 'string', minLength: 1, maxLength: 255, example: 'order-4711' },
    }),
    ApiErrors(409, 422),
  );
}
