import type { IncomingMessage } from 'node:http';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader, ApiSecurity } from '@nestjs/swagger';
import { type AuthenticatedRequest, Authenticated } from '../../access/index.js';
import { CSRF_HEADER } from './dashboard-authenticator.js';
import type { CurrentSignIn as Current } from './sign-in.js';
import { SignInNeededError } from './sign-in.errors.js';

export interface SignedInRequest extends IncomingMessage, AuthenticatedRequest {
  signIn?: Current;
}

/** Name of the OpenAPI security scheme for the dashboard's cookie. */
const SCHEME = 'dashboard';

/**
 * Declares that a route accepts only dashboard sign-ins. The parameter decorator `CurrentSignIn` refuses API keys and
 * gives the handler the sign-in.
 */
export function ForSignedIn(kind: 'reads' | 'changes' = 'reads'): MethodDecorator {
  const token = ApiHeader({
    name: CSRF_HEADER,
    required: true,
    description: 'The CSRF token: `csrf_token` from the response of `GET /v1/auth/sign-in`.',
    schema: { type: 'string', example: 'mJ3kS0c2Zl9rV1xq7nTgYbHwPdEaUoFi5sLtKzQ8vXc' },
  });
  return applyDecorators(Authenticated(), ApiSecurity(SCHEME), ...(kind === 'changes' ? [token] : []));
}

/**
 * @throws SignInNeededError for a request with an API key.
 */
export const CurrentSignIn = createParamDecorator((_: unknown, context: ExecutionContext): Current => {
  const { signIn } = context.switchToHttp().getRequest<SignedInRequest>();
  if (signIn === undefined) throw new SignInNeededError();
  return signIn;
});
