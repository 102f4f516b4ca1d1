import { Inject, Injectable } from '@nestjs/common';
import { isScopeGrant } from '../../access/index.js';
import { CLOCK, type Clock, SETTINGS, type Settings, type TokenIssuer } from '../../platform/index.js';
import { inlineJwks, type Jwks, RemoteJwks } from './jwks.js';

/** An issuer and its keys. */
export interface TrustedIssuer {
  readonly settings: TokenIssuer;
  readonly jwks: Jwks;
}

/** The issuers whose JWTs are exchanged. */
@Injectable()
export class TokenIssuers {
  private readonly issuers: ReadonlyMap<string, TrustedIssuer>;

  constructor(@Inject(SETTINGS) { TOKEN_ISSUERS }: Settings, @Inject(CLOCK) clock: Clock) {
    checkTokenIssuers(TOKEN_ISSUERS);
    this.issuers = new Map(
      TOKEN_ISSUERS.map((settings) => [settings.issuer, { settings, jwks: jwksOf(settings, clock) }]),
    );
  }

  find(issuer: string): TrustedIssuer | undefined {
    return this.issuers.get(issuer);
  }
}

/**
 * Checks what only this room knows of the setting.
 * @throws Error naming the first fault
 */
export function checkTokenIssuers(issuers: readonly TokenIssuer[]): void {
  for (const { issuer, default_scopes, jwks } of issuers) {
    const scope = default_scopes?.find((text) => !isScopeGrant(text));
    if (scope !== undefined)
      throw new Error(`TOKEN_ISSUERS: default_scopes of ${issuer} has "${scope}", which is no scope`);
    if (jwks?.keys.some((key) => 'd' in key || 'k' in key) === true)
      throw new Error(`TOKEN_ISSUERS: jwks of ${issuer} has a private or shared key; give only public ones`);
  }
}

function jwksOf({ jwks, jwks_url }: TokenIssuer, clock: Clock): Jwks {
  if (jwks_url !== undefined) return new RemoteJwks(jwks_url, clock);
  return inlineJwks(jwks ?? { keys: [] });
}
