import type { Principal, Role, ScopeGrant } from '../access/index.js';

export const KEY_ENVIRONMENTS = ['development', 'staging', 'production'] as const;
export const DEFAULT_KEY_ENVIRONMENT = 'production';
export type KeyEnvironment = (typeof KEY_ENVIRONMENTS)[number];

/**
 * How a key came into existence: a user or an operator `created` it, or it was `exchanged` for a JWT of an identity
 * provider.
 */
export type KeyOrigin = 'created' | 'exchanged';

export const MAX_KEY_NAME_LENGTH = 255;

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly environment: KeyEnvironment;
  readonly scopes: readonly ScopeGrant[];
  readonly teamId: string;
  /** Id of the only project that the key can access; null if the key can access all projects of the team. */
  readonly projectId: string | null;
  readonly userId: string;
  /**
   * Addresses and CIDR ranges from which the key may be used. Null if only the address list of the owner
   * applies.
   */
  readonly allowedIps: readonly string[] | null;
  /**
   * Name of a rate-limit plan that restricts the key further than the plan of the team; null for the plan of the team.
   */
  readonly plan: string | null;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastUsedIp: string | null;
  readonly replacedBy: string | null;
  readonly createdAt: string;
}

/**
 * The user who creates a key, with the limits of the key that the user authenticates with. A new key cannot exceed
 * these limits.
 */
export interface KeyMaker extends Pick<Principal, 'userId' | 'teamId' | 'projectId' | 'scopes'> {
  readonly role: Role;
  /** Addresses and CIDR ranges of the creating key. Null or absent if the creating key has no address list. */
  readonly allowedIps?: readonly string[] | null;
  readonly expiresAt?: string | null;
  /**
   * Issuer of the JWT, if the key that creates the new key came from a token exchange. Otherwise null or absent.
   */
  readonly issuer?: string | null;
  /** Rate-limit plan of the key that creates the new key, if that plan differs from the plan of the team. */
  readonly plan?: string | null;
}

export interface NewKey {
  readonly name: string;
  /** Scopes of the new key. Default: all scopes of the key that creates it. */
  readonly scopes?: readonly ScopeGrant[];
  readonly environment?: KeyEnvironment;
  readonly projectId?: string | null;
  /**
   * Addresses from which the new key may be used; null for any address. Default: the address list of the creating key.
   */
  readonly allowedIps?: readonly string[] | null;
  /** Expiry of the new key in ISO 8601; null for no expiry. Default: the expiry of the creating key. */
  readonly expiresAt?: string | null;
  /** Rate-limit plan of the new key, at most the plan of the creating key. Default: the plan of the creating key. */
  readonly plan?: string;
  readonly origin?: KeyOrigin;
  /** Issuer of the JWT that was exchanged for the new key. Default: the issuer of the creating key. */
  readonly issuer?: string;
}
