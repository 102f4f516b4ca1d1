import { type CanActivate, type ExecutionContext, Injectable, SetMetadata, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { type InputFault, ValidationError } from '../../errors/index.js';
import { childPath } from './field-path.js';
import { bodyFaultOf, pathFaultOf } from '../edge/held-fault.js';

const ANY_INPUT = Symbol('anyInput');

export function AnyInput(): MethodDecorator {
  return SetMetadata(ANY_INPUT, true);
}

/** The parts of a request that a route accepts, according to the decorators of its parameters. */
interface TakenInput {
  readonly anything: boolean;
  readonly body: boolean;
  /**
   * Names of the query parameters that the route accepts. With `all`, this guard accepts every name, because the
   * validation pipe checks the query against a class.
   */
  readonly query: 'all' | ReadonlySet<string>;
}

/**
 * Guard that refuses unknown query parameters and unexpected bodies. This guard must be the last, so that
 * authentication errors take precedence.
 */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly taken = new WeakMap<object, TakenInput>();

  /** @throws ValidationError, or the earlier error of the request's path or body */
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const pathFault = pathFaultOf(request);
    if (pathFault !== undefined) throw pathFault;
    const input = this.takenBy(context);
    if (!input.anything) refuseUndeclared(request, input);
    return true;
  }

  private takenBy(context: ExecutionContext): TakenInput {
    const handler = context.getHandler();
    let input = this.taken.get(handler);
    if (input === undefined) {
      input = takenInput(context.getClass(), handler);
      this.taken.set(handler, input);
    }
    return input;
  }
}

function takenInput(controller: Type, handler: { readonly name: string }): TakenInput {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<
    string,
    { readonly data?: unknown }
  >;
  const ofKind = (kind: RouteParamtypes): readonly unknown[] =>
    Object.entries(parameters).flatMap(([key, { data }]) => (key.startsWith(`${kind}:`) ? [data] : []));
  const names = ofKind(RouteParamtypes.QUERY);
  return {
    anything: Reflect.hasMetadata(ANY_INPUT, handler),
    body: ofKind(RouteParamtypes.BODY).length > 0,
    query: names.some((name) => typeof name !== 'string') ? 'all' : new Set(names.map(String)),
  };
}

function refuseUndeclared(request: Request, input: TakenInput): void {
  const bodyFault = bodyFaultOf(request);
  if (bodyFault !== undefined) throw bodyFault;
  // Some clients always send a JSON body, so `{}` is accepted on routes without a body.
  if (request.body !== undefined && !input.body && !isEmptyObject(request.body))
    throw ValidationError.of('body', 'unexpected_body', 'is not supported here; send no body');
  if (input.query !== 'all' && request.url.includes('?')) refuseUnknownQuery(request, input.query);
}

function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}

function refuseUnknownQuery(request: Request, names: ReadonlySet<string>): void {
  const [first, ...others] = Object.keys(request.query)
    .filter((name) => !names.has(name))
    .map((name): InputFault => ({
      path: childPath('', name),
      code: 'unknown_field',
      message: 'is not a known parameter',
    }));
  if (first !== undefined) throw new ValidationError([first, ...others]);
}
