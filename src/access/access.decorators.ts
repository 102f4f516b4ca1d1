import type { IncomingMessage } from 'node:http';
import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { requestIdOf } from '../http/index.js';
import type { Principal } from './principal.js';
import type { Scope } from './scope.js';

/** The access rule of a route. Every handler must declare exactly one rule; otherwise the service does not start. */
export type RouteAccess =
  | { readonly kind: 'public' }
  | { readonly kind: 'authenticated' }
  | { readonly kind: 'scope'; readonly scope: Scope };

export const ROUTE_ACCESS = Symbol('ROUTE_ACCESS');

function declared(value: RouteAccess): MethodDecorator {
  return (target, key, descriptor) => {
    const handler: unknown = descriptor.value;
    if (typeof handler === 'function' && Reflect.hasMetadata(ROUTE_ACCESS, handler))
      throw new TypeError(`${target.constructor.name}.${String(key)} has more than one access decorator.`);
    return SetMetadata(ROUTE_ACCESS, value)(target, key, descriptor);
  };
}

const accessOf = new WeakMap<object, RouteAccess>();

/** Returns the access rule of a handler. The rules are cached, because guards read them several times per request. */
export function routeAccess(handler: object): RouteAccess | undefined {
  const known = accessOf.get(handler);
  if (known !== undefined) return known;
  const access = Reflect.getMetadata(ROUTE_ACCESS, handler) as RouteAccess | undefined;
  if (access !== undefined) accessOf.set(handler, access);
  return access;
}

/** Declares that a route accepts requests without a credential. */
export function Public(): MethodDecorator {
  return applyDecorators(declared({ kind: 'public' }), ApiSecurity({}));
}

/** Declares that a route accepts every authenticated caller, regardless of the caller's scopes. */
export function Authenticated(): MethodDecorator {
  return declared({ kind: 'authenticated' });
}

export function RequireScope(scope: Scope): MethodDecorator {
  return declared({ kind: 'scope', scope });
}

const VIEWABLE = Symbol('VIEWABLE');

/**
 * Declares that a route accepts view tokens. The scope guard compares a token only with the execution id in
 * the path, so the handler must also call `requireView`.
 */
export function Viewable(): MethodDecorator {
  return SetMetadata(VIEWABLE, true);
}

export function isViewable(handler: object): boolean {
  return Reflect.getMetadata(VIEWABLE, handler) === true;
}

const CHANGING_SCOPES: ReadonlySet<Scope> = new Set([
  'keys:write',
  'users:write',
  'teams:write',
  'projects:write',
]);

export function changesAccess(access: RouteAccess | undefined): boolean {
  return access?.kind === 'scope' && CHANGING_SCOPES.has(access.scope);
}

export interface AuthenticatedRequest {
  principal?: Principal;
}

export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const request = context.switchToHttp().getRequest<IncomingMessage & AuthenticatedRequest>();
  if (request.principal === undefined)
    throw new Error(
      '@CurrentPrincipal() needs an authenticated caller and cannot be used on a @Public() route.',
    );
  return { ...request.principal, requestId: requestIdOf(request) };
});
