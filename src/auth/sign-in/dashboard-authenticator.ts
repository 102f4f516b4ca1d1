import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type Principal, refusing } from '../../access/index.js';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { SETTINGS, type Settings } from '../../settings/index.js';
import { Writer } from '../../storage/index.js';
import { FailedAuthLimiter } from '../../rate-limits/index.js';
import { isForeign, namesOrigin } from './same-origin.js';
import { type CurrentSignIn, isOver } from './sign-in.js';
import { CrossOriginError, CsrfTokenError, SignInEndedError } from './sign-in.errors.js';
import { SignInCookie } from './sign-in-cookie.js';
import { hashOfSignInSecret, isCsrfToken } from './sign-in-secret.js';
import { SignInRights } from './sign-in-rights.js';
import { SignInsRepository } from './sign-ins.repository.js';

export const CSRF_HEADER = 'X-CSRF-Token';

/** HTTP methods that change nothing. Requests with these methods need no CSRF token. */
const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Minimum interval between two updates of the time at which a sign-in was last used, in milliseconds. */
const SEEN_INTERVAL_MS = 60_000;

export interface SignedInCaller {
  readonly principal: Principal;
  readonly signIn: CurrentSignIn;
}

/**
 * Authenticates requests by the sign-in cookie of the dashboard, only from the service's own origin. Each request reads
 * the sign-in from the database, so an ended sign-in is refused immediately.
 */
@Injectable()
export class DashboardAuthenticator {
  constructor(
    private readonly cookie: SignInCookie,
    private readonly signIns: SignInsRepository,
    private readonly rights: SignInRights,
    private readonly limiter: FailedAuthLimiter,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  isCarriedBy(request: IncomingMessage): boolean {
    return this.cookie.read(request) !== undefined;
  }

  /**
   * @throws CrossOriginError if a page of another origin sent the request, or its origin is
   * unknown.
   * @throws SignInEndedError, CsrfTokenError
   * @throws RateLimitError instead of SignInEndedError if the service refused too many credentials
   * from the address recently.
   */
  async authenticate(request: IncomingMessage, address: string): Promise<SignedInCaller> {
    const isSafe = SAFE_METHODS.has(request.method);
    const { headers } = request;
    if (isForeign(headers, this.settings.BASE_URL)) throw new CrossOriginError();
    if (!isSafe && !namesOrigin(headers)) throw new CrossOriginError();
    const caller = await this.find(request, address);
    const token = headers[CSRF_HEADER.toLowerCase()];
    if (!isSafe && (typeof token !== 'string' || !isCsrfToken(caller.signIn.secret, token)))
      throw refusing(new CsrfTokenError(), caller.principal);
    return caller;
  }

  /**
   * Authenticates a WebSocket handshake. The handshake needs no CSRF token, because browsers always send the origin of
   * the page with it.
   * @throws CrossOriginError, SignInEndedError, RateLimitError as `authenticate` does.
   */
  async authenticateUpgrade(request: IncomingMessage, address: string): Promise<SignedInCaller> {
    const { headers } = request;
    if (headers.origin === undefined || isForeign(headers, this.settings.BASE_URL))
      throw new CrossOriginError();
    return this.find(request, address);
  }

  private async find(request: IncomingMessage, address: string): Promise<SignedInCaller> {
    const secret = this.cookie.read(request) ?? '';
    const now = this.clock.now();
    const row = await this.signIns.findByHash(hashOfSignInSecret(secret));
    if (row === null || isOver(row, now)) return this.refuse(address);
    const rights = await this.rights.of(row);
    if (rights === null) return this.refuse(address);
    if (now - Date.parse(row.lastSeenAt) >= SEEN_INTERVAL_MS)
      await this.writer.commit({ writes: [this.signIns.markSeen(row.id, isoTime(now))] });
    const { hash: _, ...signIn } = row;
    return { principal: { ...rights, address }, signIn: { ...signIn, secret } };
  }

  private refuse(address: string): never {
    this.limiter.countFailure(address);
    throw new SignInEndedError();
  }
}
