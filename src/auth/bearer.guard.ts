import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import {
  AddressRanges,
  type AuthenticatedRequest,
  clientAddress,
  type Principal,
  ROUTE_ACCESS,
  type RouteAccess,
} from '../access/index.js';
import { SETTINGS, type Settings } from '../platform/index.js';
import { MalformedAuthorizationError, MissingKeyError } from './auth.errors.js';
import type { BearerRequest } from './bearer.strategy.js';
import { KeyAuthenticator } from './key-authenticator.js';

type HttpRequest = IncomingMessage & AuthenticatedRequest;

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

/** The first guard of every HTTP route that is not public: who calls, and from where? */
@Injectable()
export class BearerGuard implements CanActivate {
  private readonly trustedProxies: AddressRanges;

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: KeyAuthenticator,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.trustedProxies = AddressRanges.of(settings.TRUSTED_PROXIES);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // Global guards are asked about messages of sockets too; those are authenticated once, by their gateway.
    if (context.getType() !== 'http') return true;
    const access = this.reflector.get<RouteAccess | undefined>(ROUTE_ACCESS, context.getHandler());
    if (access?.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const { authorization } = request.headers;
    if (authorization === undefined) throw new MissingKeyError();
    const address = this.addressOf(request);
    const known = authorization.startsWith(USUAL_START)
      ? this.authenticator.peek(authorization.slice(USUAL_START.length), address)
      : undefined;
    if (known !== undefined) return admit(request, known);
    return new PassportBearer({
      headers: { authorization },
      authenticate: (secret) => this.authenticator.authenticate(secret, address),
    })
      .ask(context)
      .then((principal) => admit(request, principal));
  }

  private addressOf(request: IncomingMessage): string {
    const forwarded = request.headers['x-forwarded-for'];
    return clientAddress(
      request.socket.remoteAddress,
      typeof forwarded === 'string' ? forwarded : forwarded?.join(','),
      this.trustedProxies,
    );
  }
}

function admit(request: AuthenticatedRequest, principal: Principal): true {
  request.principal = principal;
  return true;
}
