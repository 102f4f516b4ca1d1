import type { IncomingMessage } from 'node:http';
import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { requestIdOf } from '../http/index.js';
import type { Principal } from './principal.js';
import type { Scope } from './scope.js';

/** The access rule of a route. Every handler declares exactly one; the service does not start without it. */
export type RouteAccess =
  | { readonly kind: 'public' }
  | { readonly kind: 'authenticated' }
  | { readonly kind: 'scope'; readonly scope: Scope };

export const ROUTE_ACCESS = Symbol('ROUTE_ACCESS');

function declared(value: RouteAccess): MethodDecorator {
  return (target, key, descriptor) => {
    const handler: unknown = descriptor.value;
    if (typeof handler === 'function' && Reflect.hasMetadata(ROUTE_ACCESS, handler))
      throw new TypeError(`${target.constructor.name}.${String(key)} declares its access twice.`);
    return SetMetadata(ROUTE_ACCESS, value)(target, key, descriptor);
  };
}

const accessOf = new WeakMap<object, RouteAccess>();

/** The access rule of a route; undefined if none is declared. Read several times per request. */
export function routeAccess(handler: object): RouteAccess | undefined {
  const known = accessOf.get(handler);
  if (known !== undefined) return known;
  const access = Reflect.getMetadata(ROUTE_ACCESS, handler) as RouteAccess | undefined;
  if (access !== undefined) accessOf.set(handler, access);
  return access;
}

/** No credential is needed. */
export function Public(): MethodDecorator {
  return applyDecorators(declared({ kind: 'public' }), ApiSecurity({}));
}

/** Any valid key is accepted. */
export function Authenticated(): MethodDecorator {
  return declared({ kind: 'authenticated' });
}

/** Both the key and its owner's role must grant this scope. */
export function RequireScope(scope: Scope): MethodDecorator {
  return declared({ kind: 'scope', scope });
}

const VIEWABLE = Symbol('VIEWABLE');

/**
 * Opens a route to view tokens. The handler must read its execution or session through a service that calls
 * `requireView`; the scope guard only compares the id in the path.
 */
export function Viewable(): MethodDecorator {
  return SetMetadata(VIEWABLE, true);
}

/** Whether view tokens may call a route. */
export function isViewable(handler: object): boolean {
  return Reflect.getMetadata(VIEWABLE, handler) === true;
}

const CHANGING_SCOPES: ReadonlySet<Scope> = new Set([
  'keys:write',
  'users:write',
  'teams:write',
  'projects:write',
]);

/** Whether a route may change access. */
export function changesAccess(access: RouteAccess | undefined): boolean {
  return access?.kind === 'scope' && CHANGING_SCOPES.has(access.scope);
}

/** A request that passed the bearer guard. */
export interface AuthenticatedRequest {
  principal?: Principal;
}

/** The principal of the request, with the request's id. For handlers that are not public. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const request = context.switchToHttp().getRequest<IncomingMessage & AuthenticatedRequest>();
  if (request.principal === undefined) throw new Error('CurrentPrincipal is used on a public route.');
  return { ...request.principal, requestId: requestIdOf(request) };
});
