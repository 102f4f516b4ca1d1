import { Inject, Injectable } from '@nestjs/common';
import { isScopeGrant } from '../access/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { SETTINGS, type Settings, SettingsError, type TokenIssuer } from '../settings/index.js';
import { inlineJwks, type Jwks, RemoteJwks } from './jwks.js';

export interface TrustedIssuer {
  readonly settings: TokenIssuer;
  readonly jwks: Jwks;
}

/** The issuers in the setting `TOKEN_ISSUERS`, whose JWTs the service exchanges. */
@Injectable()
export class TokenIssuers {
  private readonly issuers: ReadonlyMap<string, TrustedIssuer>;

  constructor(@Inject(SETTINGS) { TOKEN_ISSUERS }: Settings, @Inject(CLOCK) clock: Clock) {
    const faults = tokenIssuerFaults(TOKEN_ISSUERS);
    if (faults.length > 0) throw new SettingsError(faults);
    this.issuers = new Map(
      TOKEN_ISSUERS.map((settings) => [settings.issuer, { settings, jwks: jwksOf(settings, clock) }]),
    );
  }

  find(issuer: string): TrustedIssuer | undefined {
    return this.issuers.get(issuer);
  }
}

/**
 * Returns the errors in `TOKEN_ISSUERS` that need more than the schema of the setting, one line each: unknown scopes,
 * and keys that are not public.
 */
export function tokenIssuerFaults(issuers: readonly TokenIssuer[]): readonly string[] {
  return issuers.flatMap(({ issuer, default_scopes = [], jwks }) => [
    ...default_scopes
      .filter((text) => !isScopeGrant(text))
      .map((scope) => `TOKEN_ISSUERS: default_scopes of ${issuer} contains "${scope}", which is not a scope`),
    ...(jwks?.keys.some((key) => 'd' in key || 'k' in key) === true
      ? [`TOKEN_ISSUERS: jwks of ${issuer} contains a private or shared key; use only public keys`]
      : []),
  ]);
}

function jwksOf({ jwks, jwks_url }: TokenIssuer, clock: Clock): Jwks {
  if (jwks_url !== undefined) return new RemoteJwks(jwks_url, clock);
  return inlineJwks(jwks ?? { keys: [] });
}
