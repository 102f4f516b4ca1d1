import { Inject, Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { CLOCK, type Clock } from '../platform/index.js';
import type { TokenIssuer } from '../settings/index.js';
import { UnavailableError } from '../errors/index.js';
import { ExpiredJwtError, InvalidJwtError } from './token-exchange.errors.js';
import { TokenIssuers, type TrustedIssuer } from './token-issuers.js';

type Jose = typeof import('jose');

/** Tolerated difference between the clocks of this service and of an issuer, in seconds. */
const LEEWAY_SECONDS = 60;

export interface VerifiedJwt {
  readonly issuer: TokenIssuer;
  readonly subject: string;
  readonly jti: string;
  /** Expiry of the JWT, in epoch milliseconds: `exp`, or `exp` plus the leeway of 60 s if `exp` has already passed. */
  readonly expiresAt: number;
  /**
   * Epoch milliseconds at which the service stops accepting the JWT. From then on, the record of the exchanged JWT is no
   * longer needed.
   */
  readonly acceptedUntil: number;
  readonly claims: JWTPayload;
}

@Injectable()
export class JwtVerifier {
  constructor(
    private readonly issuers: TokenIssuers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Verifies the signature and the claims of a JWT. Does not check whether the JWT was exchanged before.
   *
   * @throws InvalidJwtError, ExpiredJwtError
   * @throws IssuerUnavailableError if the issuer's keys are unknown and cannot be downloaded
   */
  async verify(jwt: string): Promise<VerifiedJwt> {
    // Few installations exchange JWTs, so jose is loaded when the first JWT is verified.
    const jose = await import('jose');
    try {
      return await this.check(jwt, jose);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      if (error instanceof jose.errors.JWTExpired) throw new ExpiredJwtError();
      // The library jose also throws TypeErrors, for example for a key that is too short.
      throw new InvalidJwtError(error);
    }
  }

  private async check(
    jwt: string,
    { decodeJwt, decodeProtectedHeader, jwtVerify }: Jose,
  ): Promise<VerifiedJwt> {
    const header = decodeProtectedHeader(jwt);
    // The header `crit` lists extensions that a verifier must support. The service supports no extension, so it must
    // refuse the JWT.
    if ('crit' in header) throw new InvalidJwtError('crit');
    const { settings, jwks } = this.issuerOf(decodeJwt(jwt));
    // Issuers sign logout tokens and security events with the same keys as ID tokens. Without this check, a logout
    // token could be exchanged.
    if (settings.typ === undefined && !isGeneralType(header.typ)) throw new InvalidJwtError('typ');
    const now = this.clock.now();
    const { payload } = await jwtVerify(jwt, jwks.key, {
      algorithms: settings.algorithms,
      issuer: settings.issuer,
      audience: settings.audience,
      clockTolerance: LEEWAY_SECONDS,
      // With `maxTokenAge`, jose also refuses an `iat` in the future.
      maxTokenAge: settings.max_age_seconds,
      requiredClaims: ['exp', 'iat', 'sub', 'jti'],
      currentDate: new Date(now),
      ...(settings.typ === undefined ? {} : { typ: settings.typ }),
    });
    const { exp, iat } = payload;
    // The library jose accepts infinite numbers such as 1e400, which are not times.
    if (!isInstant(exp) || !isInstant(iat)) throw new InvalidJwtError('exp or iat');
    if (isSecurityEvent(payload)) throw new InvalidJwtError('events');
    return {
      issuer: settings,
      subject: text(payload.sub),
      jti: text(payload.jti),
      expiresAt: (exp * 1000 > now ? exp : exp + LEEWAY_SECONDS) * 1000,
      acceptedUntil: (Math.min(exp, iat + settings.max_age_seconds) + LEEWAY_SECONDS + 1) * 1000,
      claims: payload,
    };
  }

  /**
   * Returns the configured issuer that the unverified claim `iss` names. The keys of this issuer then verify the JWT,
   * including `iss`.
   *
   * @throws InvalidJwtError if the issuer is not configured
   */
  private issuerOf({ iss }: JWTPayload): TrustedIssuer {
    const issuer = typeof iss === 'string' ? this.issuers.find(iss) : undefined;
    if (issuer === undefined) throw new InvalidJwtError('iss');
    return issuer;
  }
}

/** Values of `typ` for JWTs that identify a person, in lower case, without the optional prefix `application/`. */
const GENERAL_TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt']);

/**
 * Whether a JWT with this `typ` may be an ID token or an access token. A missing `typ` is accepted, because many
 * issuers omit it.
 */
function isGeneralType(typ: unknown): boolean {
  if (typ === undefined) return true;
  return typeof typ === 'string' && GENERAL_TYPES.has(typ.toLowerCase().replace(/^application\//, ''));
}

/** Whether a JWT is a logout token or another security event (RFC 8417). */
function isSecurityEvent({ events }: JWTPayload): boolean {
  return (
    typeof events === 'object' && events !== null && Object.keys(events).some((name) => URL.canParse(name))
  );
}

function isInstant(claim: unknown): claim is number {
  return typeof claim === 'number' && Number.isFinite(claim);
}

/** Maximum length of the claims `sub` and `jti`, in characters. OpenID Connect sets this limit for `sub`. */
const MAX_LENGTH = 255;

/**
 * Validates the claim `sub` or `jti` of a JWT. Only texts that the database stores unchanged are accepted, so that two
 * subjects never become equal.
 */
function text(claim: unknown): string {
  const isValid =
    typeof claim === 'string' &&
    claim.trim() !== '' &&
    claim.length <= MAX_LENGTH &&
    !claim.includes('\0') &&
    claim.isWellFormed();
  if (!isValid) throw new InvalidJwtError('sub or jti');
  return claim;
}
