import { Inject, Injectable } from '@nestjs/common';
import { AccessEpoch, refusing, type RefusedCaller, type Scope } from '../access/index.js';
import { AuditTrail } from '../audit/index.js';
import { KeysService } from '../keys/index.js';
import { AuthenticationError, ValidationError } from '../errors/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { Writer } from '../storage/index.js';
import { FailedAuthLimiter } from '../rate-limits/index.js';
import { EmailTakenError } from '../users/index.js';
import { personFrom, type RequestOrigin } from '../auth/index.js';
import { sharedScopes } from './claims.js';
import { ExchangeHousekeeping } from './exchange-housekeeping.js';
import { JwtVerifier, type VerifiedJwt } from './jwt-verifier.js';
import { ProvisionedMeanwhileError, type Subject, Subjects } from './subjects.js';
import { ExpiredJwtError, NoScopeForSubjectError, UsedJwtError } from './token-exchange.errors.js';
import { UsedTokensRepository } from './used-tokens.repository.js';

export interface ExchangedToken {
  /** The new API key in plain text, which is shown only once. */
  readonly token: string;
  /** Expiry of the API key, in epoch milliseconds. */
  readonly expiresAt: number;
  readonly lifetimeSeconds: number;
  readonly scopes: readonly Scope[];
}

/**
 * Maximum number of tries of one exchange. A try fails if a concurrent exchange creates the same user; the next try
 * finds this user.
 */
const ATTEMPTS = 3;

/** Exchanges JWTs of identity providers for short-lived API keys. */
@Injectable()
export class TokenExchange {
  constructor(
    private readonly verifier: JwtVerifier,
    private readonly subjects: Subjects,
    private readonly usedTokens: UsedTokensRepository,
    private readonly keys: KeysService,
    private readonly housekeeping: ExchangeHousekeeping,
    private readonly limiter: FailedAuthLimiter,
    private readonly audit: AuditTrail,
    private readonly epoch: AccessEpoch,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Exchanges a JWT for an API key.
   *
   * @param wanted scopes of the API key; undefined for all scopes that the JWT grants
   * @throws InvalidJwtError, ExpiredJwtError, UsedJwtError, UnknownSubjectError; each of them counts as a failed
   * authentication of the caller's IP address
   * @throws NoTeamForSubjectError, UnlistedTeamError, UnlistedRoleError, NoScopeForSubjectError
   * @throws IssuerUnavailableError if the keys of the issuer cannot be downloaded
   * @throws RateLimitError if the IP address had too many failed authentications recently
   * @throws ValidationError if `wanted` has a scope that the JWT does not grant
   */
  async exchange(
    jwt: string,
    wanted: readonly string[] | undefined,
    origin: RequestOrigin,
  ): Promise<ExchangedToken> {
    const caller: { issuer?: string } = {};
    try {
      const verified = await this.verifier.verify(jwt);
      caller.issuer = verified.issuer.issuer;
      // This check only saves work for a JWT that was already exchanged. The commit is what reliably refuses a second
      // exchange.
      if (await this.usedTokens.has(verified.issuer.issuer, verified.jti)) throw new UsedJwtError();
      const token = await this.mintRepeatedly(verified, wanted, origin);
      this.housekeeping.run();
      return token;
    } catch (error) {
      if (error instanceof AuthenticationError) this.limiter.countFailure(origin.address);
      throw refusing(error, caller);
    }
  }

  private async mintRepeatedly(
    jwt: VerifiedJwt,
    wanted: readonly string[] | undefined,
    origin: RequestOrigin,
  ): Promise<ExchangedToken> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.mint(jwt, await this.subjects.find(jwt), wanted, origin);
      } catch (error) {
        const again = error instanceof ProvisionedMeanwhileError || error instanceof EmailTakenError;
        if (!again || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  private async mint(
    { issuer, subject, jti, expiresAt: jwtExpiresAt, acceptedUntil }: VerifiedJwt,
    { user, teamId, role, claims, writes }: Subject,
    wanted: readonly string[] | undefined,
    origin: RequestOrigin,
  ): Promise<ExchangedToken> {
    const scopes = narrowed(sharedScopes(claims.scopes, role), wanted, {
      teamId,
      ...(writes.length === 0 ? { userId: user.id } : {}),
    });
    const now = this.clock.now();
    // `jwtExpiresAt` is rounded down, because the claim `exp` may have decimals.
    const expiresAt = Math.min(now + issuer.token_lifetime_seconds * 1000, Math.floor(jwtExpiresAt));
    if (expiresAt <= now) throw new ExpiredJwtError();
    const maker = { userId: user.id, teamId, projectId: null, role, scopes: ['*'] } as const;
    const {
      key,
      secret,
      writes: keyWrites,
    } = this.keys.prepare(maker, {
      name: 'Exchanged token',
      origin: 'exchanged',
      issuer: issuer.issuer,
      scopes,
      expiresAt: isoTime(expiresAt),
    });
    const use = { issuer: issuer.issuer, jti, expiresAt: isoTime(acceptedUntil) };
    const unit = {
      writes: [
        this.usedTokens.insert(use, () => new UsedJwtError()),
        ...writes,
        ...keyWrites,
        this.audit.entry(personFrom(origin, user.id), {
          teamId,
          action: 'token.exchanged',
          target: { type: 'key', id: key.id },
          after: { issuer: issuer.issuer, subject, role, scopes, expires_at: key.expiresAt },
        }),
      ],
    };
    await this.writer.commit(writes.length === 0 ? unit : this.epoch.change(unit));
    return { token: secret, expiresAt, lifetimeSeconds: Math.floor((expiresAt - now) / 1000), scopes };
  }
}

function narrowed(
  given: readonly Scope[],
  wanted: readonly string[] | undefined,
  caller: RefusedCaller,
): readonly Scope[] {
  const beyond = wanted?.find((scope) => !given.some((one) => one === scope));
  if (beyond !== undefined)
    throw ValidationError.of(
      'scope',
      'exceeds_jwt',
      `must only contain scopes of the JWT; it also contains ${beyond}`,
    );
  const scopes = wanted === undefined ? given : given.filter((scope) => wanted.includes(scope));
  if (scopes.length === 0) throw refusing(new NoScopeForSubjectError(), caller);
  return scopes;
}
