import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import {
  allows,
  type AuthenticatedRequest,
  isViewable,
  MissingScopeError,
  routeAccess,
  type View,
  ViewTokenScopeError,
} from '../access/index.js';
import { RouteClosedError } from './auth.errors.js';

interface RoutedRequest extends AuthenticatedRequest {
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * Checks the access rule of a route. The guard runs after the rate limit, so that refused requests count toward the
 * limit.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  /** @throws MissingScopeError; ViewTokenScopeError; RouteClosedError. */
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const access = routeAccess(context.getHandler());
    const { principal, params } = context.switchToHttp().getRequest<RoutedRequest>();
    if (principal?.view !== undefined) requireViewable(principal.view, context.getHandler(), params);
    switch (access?.kind) {
      case 'public':
        return true;
      case 'authenticated':
        if (principal === undefined) throw new RouteClosedError();
        return true;
      case 'scope':
        if (principal === undefined || !allows(principal, access.scope))
          throw new MissingScopeError(access.scope);
        return true;
      case undefined:
        throw new RouteClosedError();
    }
  }
}

/**
 * Checks whether a view token may call a route. Execution ids are compared before the execution is read, so that the
 * response does not reveal whether an execution exists.
 */
function requireViewable(view: View, handler: object, params: RoutedRequest['params']): void {
  if (!isViewable(handler)) throw new ViewTokenScopeError();
  const id = params?.['id'];
  if (view.kind === 'execution' && (typeof id !== 'string' || id.toLowerCase() !== view.id))
    throw new ViewTokenScopeError();
}
