import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { AccessEpoch, changesAccess, isViewable, type Principal, routeAccess } from '../access/index.js';
import { countAsAuthenticated } from '../http/index.js';
import { MissingKeyError, ViewTokenInQueryError } from './auth.errors.js';
import type { BearerOptions } from './bearer.strategy.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { RequestAddress } from './request-address.js';
import type { SignedInRequest } from './sign-in/current-sign-in.js';
import { looksLikeViewToken } from './view-tokens/view-token.js';
import { DashboardAuthenticator } from './sign-in/dashboard-authenticator.js';

/** Query parameter that contains a view token. Only event streams accept this parameter. */
const VIEW_TOKEN_PARAMETER = 'view_token';

/** Usual start of an `Authorization` header. Headers with another start are parsed by the library passport. */
const USUAL_START = 'Bearer ';

/** A request with its query parameters. Express parses the query string only when `query` is read. */
interface QueriedRequest extends SignedInRequest {
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * Authenticates HTTP requests by API key, view token or the cookie of the dashboard. Only event streams accept a view
 * token in the URL.
 */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(
    private readonly keys: KeyAuthenticator,
    private readonly dashboard: DashboardAuthenticator,
    private readonly addresses: RequestAddress,
    private readonly epoch: AccessEpoch,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // Nest also calls global guards for WebSocket messages. The gateway has already authenticated the WebSocket.
    if (context.getType() !== 'http') return true;
    const access = routeAccess(context.getHandler());
    if (access?.kind === 'public') return true;
    // A request that changes access reads the access epoch again. With a cached epoch, a caller who has just lost a
    // right could still grant that right.
    if (changesAccess(access)) this.epoch.expire();
    const request = context.switchToHttp().getRequest<QueriedRequest>();
    const { authorization } = request.headers;
    if (authorization === undefined) {
      const token = viewTokenInQuery(request, context.getHandler());
      return token === undefined ? this.admitSignedIn(request) : this.admitViewer(request, token);
    }
    const known = authorization.startsWith(USUAL_START)
      ? this.keys.peek(authorization.slice(USUAL_START.length), this.addresses.of(request))
      : undefined;
    return known === undefined ? this.admitKey(context, request) : admit(request, known);
  }

  override getAuthenticateOptions(context: ExecutionContext): BearerOptions & { readonly property: string } {
    const address = this.addresses.of(context.switchToHttp().getRequest<SignedInRequest>());
    return {
      property: 'principal' satisfies keyof SignedInRequest,
      authenticate: (secret) => this.keys.authenticate(secret, address),
    };
  }

  /**
   * @throws MalformedAuthorizationError if passport found no bearer token, for example in a header
   * of three words
   */
  override handleRequest<User>(
    error: unknown,
    user: User | false,
    _info: unknown,
    context: ExecutionContext,
  ): User {
    if (error !== null && error !== undefined) throw error;
    if (user !== false) return user;
    return this.keys.refuseMalformed(this.addresses.of(context.switchToHttp().getRequest<SignedInRequest>()));
  }

  /** Authenticates a request by its `Authorization` header. The library passport sets `principal` on the request. */
  private async admitKey(context: ExecutionContext, request: SignedInRequest): Promise<true> {
    await super.canActivate(context);
    countAsAuthenticated(request.socket);
    return true;
  }

  private async admitViewer(request: SignedInRequest, token: string): Promise<true> {
    if (!looksLikeViewToken(token)) return this.keys.refuseMalformed(this.addresses.of(request));
    return admit(request, await this.keys.authenticate(token, this.addresses.of(request)));
  }

  private async admitSignedIn(request: SignedInRequest): Promise<true> {
    if (!this.dashboard.isCarriedBy(request)) throw new MissingKeyError();
    const { principal, signIn } = await this.dashboard.authenticate(request, this.addresses.of(request));
    request.signIn = signIn;
    return admit(request, principal);
  }
}

function admit(request: SignedInRequest, principal: Principal): true {
  request.principal = principal;
  countAsAuthenticated(request.socket);
  return true;
}

/**
 * Returns the view token in the URL; undefined if the URL contains none. Event streams accept tokens in URLs, because
 * `EventSource` cannot send headers.
 * @throws ViewTokenInQueryError for other routes, because logs and browser histories store URLs
 */
function viewTokenInQuery(request: QueriedRequest, handler: object): string | undefined {
  if (request.url?.includes(VIEW_TOKEN_PARAMETER) !== true) return undefined;
  const token = request.query[VIEW_TOKEN_PARAMETER];
  if (token === undefined) return undefined;
  const isStream = isViewable(handler) && request.headers.accept?.includes('text/event-stream') === true;
  if (!isStream || typeof token !== 'string') throw new ViewTokenInQueryError();
  return token;
}
