import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { AccessEpoch, changesAccess, type Principal, routeAccess } from '../access/index.js';
import { countAsAuthenticated } from '../http/index.js';
import { MalformedAuthorizationError, MissingKeyError } from './auth.errors.js';
import type { BearerRequest } from './bearer.strategy.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { RequestAddress } from './request-address.js';
import type { SignedInRequest } from './sign-in/current-sign-in.js';
import { DashboardAuthenticator } from './sign-in/dashboard-authenticator.js';

/** Start of a header in its usual form; any other goes to passport, which knows them all. */
const USUAL_START = 'Bearer ';

/** Asks passport for the principal of one request; its answers become this service's errors. */
class PassportBearer extends AuthGuard('bearer') {
  private principal: Principal | undefined;

  constructor(private readonly bearerRequest: BearerRequest) {
    super();
  }

  async ask(context: ExecutionContext): Promise<Principal> {
    await this.canActivate(context);
    if (this.principal === undefined) throw new MalformedAuthorizationError();
    return this.principal;
  }

  override getRequest(): BearerRequest {
    return this.bearerRequest;
  }

  override handleRequest<User>(error: unknown, user: User | false): User {
    if (error !== null && error !== undefined) throw error;
    // Its 400 for a header of three words and its challenge for `Basic` mean the same to the caller.
    if (user === false) throw new MalformedAuthorizationError();
    this.principal = user as Principal;
    return user;
  }
}

/**
 * The first guard of every HTTP route that is not public: who calls, and from where? An API key in the
 * `Authorization` header, or, where there is no such header, the dashboard's cookie.
 */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly keys: KeyAuthenticator,
    private readonly dashboard: DashboardAuthenticator,
    private readonly addresses: RequestAddress,
    private readonly epoch: AccessEpoch,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // Global guards are asked about messages of sockets too; those are authenticated once, by their gateway.
    if (context.getType() !== 'http') return true;
    const access = routeAccess(context.getHandler());
    if (access?.kind === 'public') return true;
    // Who lost a right elsewhere in the last half second must not get another one by it.
    if (changesAccess(access)) this.epoch.doubt();
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const { authorization } = request.headers;
    if (authorization === undefined) return this.admitSignedIn(request);
    const address = this.addresses.of(request);
    const known = authorization.startsWith(USUAL_START)
      ? this.keys.peek(authorization.slice(USUAL_START.length), address)
      : undefined;
    if (known !== undefined) return admit(request, known);
    return new PassportBearer({
      headers: { authorization },
      authenticate: (secret) => this.keys.authenticate(secret, address),
    })
      .ask(context)
      .catch((error: unknown) => {
        if (error instanceof MalformedAuthorizationError) return this.keys.refuseMalformed(address);
        throw error;
      })
      .then((principal) => admit(request, principal));
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
