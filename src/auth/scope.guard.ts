import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { allows, type AuthenticatedRequest, MissingScopeError, routeAccess } from '../access/index.js';
import { RouteClosedError } from './auth.errors.js';

/**
 * May the caller do what the route does? A route says what it asks for by its decorator; without one it is
 * closed. Stands behind the rate limit, so that refusals are counted too.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  /** @throws MissingScopeError; RouteClosedError. */
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const access = routeAccess(context.getHandler());
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
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
