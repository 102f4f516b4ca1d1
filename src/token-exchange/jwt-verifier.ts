import { Inject, Injectable } from '@nestjs/common';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { CLOCK, type Clock } from '../platform/index.js';
import type { TokenIssuer } from '../settings/index.js';
import { UnavailableError } from '../errors/index.js';
import { ExpiredJwtError, InvalidJwtError } from './token-exchange.errors.js';
import { TokenIssuers, type TrustedIssuer } from './token-issuers.js';

/** Tolerated seconds of difference from an issuer's clock. */
const LEEWAY_SECONDS = 60;

export interface VerifiedJwt {
  readonly issuer: TokenIssuer;
  readonly subject: string;
  readonly jti: string;
  /** Expiry in epoch milliseconds. During the leeway after `exp`, the end of the leeway. */
  readonly expiresAt: number;
  /** Epoch milliseconds after which the JWT is refused as expired and its id can be forgotten. */
  readonly uselessAt: number;
  readonly claims: JWTPayload;
}

@Injectable()
export class JwtVerifier {
  constructor(
    private readonly issuers: TokenIssuers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Verifies a JWT. Does not check whether the JWT was exchanged before.
   *
   * @throws InvalidJwtError, ExpiredJwtError
   * @throws IssuerUnavailableError when the issuer's keys are unknown and cannot be downloaded.
   */
  async verify(jwt: string): Promise<VerifiedJwt> {
    try {
      return await this.check(jwt);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      if (error instanceof errors.JWTExpired) throw new ExpiredJwtError();
      // jose also throws TypeErrors, for example for a short key.
      throw new InvalidJwtError(error);
    }
  }

  private async check(jwt: string): Promise<VerifiedJwt> {
    const header = decodeProtectedHeader(jwt);
    // `crit` lists extensions that the service must support. The service supports none, so it must refuse the JWT.
    if ('crit' in header) throw new InvalidJwtError('crit');
    const { settings, jwks } = this.issuerOf(jwt);
    // Logout tokens, security events and DPoP proofs use the same keys, but must not be exchanged.
    if (settings.typ === undefined && !isGeneralType(header.typ)) throw new InvalidJwtError('typ');
    const now = this.clock.now();
    const { payload } = await jwtVerify(jwt, jwks.key, {
      algorithms: settings.algorithms,
      issuer: settings.issuer,
      audience: settings.audience,
      clockTolerance: LEEWAY_SECONDS,
      // Refuses an `iat` in the future, which jose otherwise accepts.
      maxTokenAge: settings.max_age_seconds,
      requiredClaims: ['exp', 'iat', 'sub', 'jti'],
      currentDate: new Date(now),
      ...(settings.typ === undefined ? {} : { typ: settings.typ }),
    });
    const { exp, iat } = payload;
    // jose accepts 1e400 as a number, but 1e400 is not a time.
    if (!isInstant(exp) || !isInstant(iat)) throw new InvalidJwtError('exp or iat');
    if (isSecurityEvent(payload)) throw new InvalidJwtError('events');
    return {
      issuer: settings,
      subject: text(payload.sub),
      jti: text(payload.jti),
      expiresAt: (exp * 1000 > now ? exp : exp + LEEWAY_SECONDS) * 1000,
      uselessAt: (Math.min(exp, iat + settings.max_age_seconds) + LEEWAY_SECONDS + 1) * 1000,
      claims: payload,
    };
  }

  /** The issuer that the JWT claims to have, which determines the keys. The verification checks the claim later. */
  private issuerOf(jwt: string): TrustedIssuer {
    const { iss } = decodeJwt(jwt);
    const issuer = typeof iss === 'string' ? this.issuers.find(iss) : undefined;
    if (issuer === undefined) throw new InvalidJwtError('iss');
    return issuer;
  }
}

/** Types of JWTs that identify a person, in lower case, without the optional prefix `application/`. */
const GENERAL_TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt']);

/** Whether a `typ` belongs to an ID token or access token. True for a missing `typ`, which many issuers omit. */
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

/** Maximum length of a subject (OpenID Connect) and of a token's id. */
const MAX_LENGTH = 255;

/** Validates a claim that must be a string. Two different subjects must never have the same stored form. */
function text(claim: unknown): string {
  const isFit =
    typeof claim === 'string' &&
    claim.trim() !== '' &&
    claim.length <= MAX_LENGTH &&
    !claim.includes('\0') &&
    claim.isWellFormed();
  if (!isFit) throw new InvalidJwtError('sub or jti');
  return claim;
}
