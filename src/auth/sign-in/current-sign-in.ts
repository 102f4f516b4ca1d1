import type { IncomingMessage } from 'node:http';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader, ApiSecurity } from '@nestjs/swagger';
import { type AuthenticatedRequest, Authenticated } from '../../access/index.js';
import { CSRF_HEADER } from './dashboard-authenticator.js';
import type { CurrentSignIn as Current } from './sign-in.js';
import { SignInNeededError } from './sign-in.errors.js';

/** A request that passed the bearer guard and may have the dashboard's cookie. */
export interface SignedInRequest extends IncomingMessage, AuthenticatedRequest {
  signIn?: Current;
}

/** Name of the cookie's security scheme in the OpenAPI document. */
const SCHEME = 'dashboard';

/** Marks a route for people who are signed in to the dashboard; its handler takes `CurrentSignIn`. */
export function ForSignedIn(kind: 'reads' | 'changes' = 'reads'): MethodDecorator {
  const token = ApiHeader({
    name: CSRF_HEADER,
    required: true,
    description: 'The `csrf_token` of the sign-in.',
    schema: { type: 'string', example: 'mJ3kS0c2Zl9rV1xq7nTgYbHwPdEaUoFi5sLtKzQ8vXc' },
  });
  return applyDecorators(Authenticated(), ApiSecurity(SCHEME), ...(kind === 'changes' ? [token] : []));
}

/** The sign-in of the request. A request with an API key is refused with `SignInNeededError`. */
export const CurrentSignIn = createParamDecorator((_: unknown, context: ExecutionContext): Current => {
  const { signIn } = context.switchToHttp().getRequest<SignedInRequest>();
  if (signIn === undefined) throw new SignInNeededError();
  return signIn;
});
