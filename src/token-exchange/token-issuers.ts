import type { FactoryProvider } from '@nestjs/common';
import { isScopeGrant } from '../access/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { SETTINGS, type Settings, SettingsError, type TokenIssuer } from '../settings/index.js';
import type { Jwks } from './jwks.js';

export interface TrustedIssuer {
  readonly settings: TokenIssuer;
  readonly jwks: Jwks;
}

/** The issuers in the setting `TOKEN_ISSUERS`, whose JWTs the service exchanges. */
export class TokenIssuers {
  private constructor(private readonly issuers: ReadonlyMap<string, TrustedIssuer>) {}

  /** @throws SettingsError with all errors of `tokenIssuerFaults` */
  static async create(settings: readonly TokenIssuer[], clock: Clock): Promise<TokenIssuers> {
    const faults = tokenIssuerFaults(settings);
    if (faults.length > 0) throw new SettingsError(faults);
    if (settings.length === 0) return new TokenIssuers(new Map());
    // This module loads jose, which installations without a token issuer do not need.
    const { jwksOf } = await import('./jwks.js');
    return new TokenIssuers(
      new Map(settings.map((one) => [one.issuer, { settings: one, jwks: jwksOf(one, clock) }])),
    );
  }

  find(issuer: string): TrustedIssuer | undefined {
    return this.issuers.get(issuer);
  }
}

export const tokenIssuersProvider: FactoryProvider<TokenIssuers> = {
  provide: TokenIssuers,
  inject: [SETTINGS, CLOCK],
  useFactory: ({ TOKEN_ISSUERS }: Settings, clock: Clock) => TokenIssuers.create(TOKEN_ISSUERS, clock),
};

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
