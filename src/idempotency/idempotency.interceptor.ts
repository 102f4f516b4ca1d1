import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { AuthenticatedRequest, Principal } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import type { MadeResource } from './key-claim.js';
import { KeyedRequests } from './keyed-requests.js';

/**
 * A request with the idempotency key of an earlier request that created a resource but stored no response. The process
 * of the earlier request ended between the two commits.
 */
export interface Repetition {
  readonly principal: Principal;
  readonly request: Request;
  readonly response: Response;
  readonly resource: MadeResource;
}

export interface RepeatableRoute<Controller, Body> {
  /** Renders the body of the response from the created resource, and sets the response headers. */
  readonly render: (controller: Controller, repetition: Repetition) => unknown;
  /** Removes secrets from the response body before it is stored, because secrets are shown only once. */
  readonly withoutSecrets?: (body: Body) => unknown;
}

const ROUTE = 'idempotency:route';

/**
 * Makes a handler idempotent: a request with the `Idempotency-Key` of an earlier request gets the response of that
 * request.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly keyed: KeyedRequests,
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & AuthenticatedRequest>();
    const response = http.getResponse<Response>();
    const route = this.reflector.get<RepeatableRoute<unknown, unknown>>(ROUTE, context.getHandler());
    const { withoutSecrets } = route;
    return from(
      this.keyed.respond({
        request,
        response,
        perform: () => lastValueFrom<unknown>(next.handle()),
        render: async (resource) => {
          const { principal } = request;
          if (principal === undefined)
            throw new Error(
              'A route with @Idempotent() cannot be public, because an Idempotency-Key belongs to a caller.',
            );
          const controller = this.modules.get<unknown>(context.getClass(), { strict: false });
          return await route.render(controller, { principal, request, response, resource });
        },
        ...(withoutSecrets === undefined ? {} : { withoutSecrets }),
      }),
    );
  }
}

/** Decorator for a POST handler. A request repeated with the same `Idempotency-Key` gets the first response again. */
export function Idempotent<Controller, Body = unknown>(
  route: RepeatableRoute<Controller, Body>,
): MethodDecorator {
  return applyDecorators(
    SetMetadata(ROUTE, route),
    UseInterceptors(IdempotencyInterceptor),
    TakesIdempotencyKey(),
  );
}

/**
 * Documents the `Idempotency-Key` header for a handler that implements idempotency itself, with
 * `KeyedRequests`.
 */
export function TakesIdempotencyKey(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Unique key that makes the request safe to repeat. For 24 hours, a repeated request with the same key and body has no effect and gets the response to the first request.',
      schema: { type: 'string', minLength: 1, maxLength: 255, example: 'order-4711' },
    }),
    ApiAnswers({}, 409, 422),
  );
}
