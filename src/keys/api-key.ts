import type { Principal, Role, ScopeGrant } from '../access/index.js';

export const KEY_ENVIRONMENTS = ['development', 'staging', 'production'] as const;
/** Default environment of a key. */
export const DEFAULT_KEY_ENVIRONMENT = 'production';
export type KeyEnvironment = (typeof KEY_ENVIRONMENTS)[number];

/** Origin of a key: created by a person, or issued in exchange for an identity provider's token. */
export type KeyOrigin = 'created' | 'exchanged';

/** Maximum length of a key's name. */
export const MAX_KEY_NAME_LENGTH = 255;

/** An API key, as its owner sees it. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly environment: KeyEnvironment;
  readonly scopes: readonly ScopeGrant[];
  readonly teamId: string;
  /** The only project it can access; null for all of the team. */
  readonly projectId: string | null;
  readonly userId: string;
  /** Addresses and CIDR ranges it may be used from; null if only its owner's list applies. */
  readonly allowedIps: readonly string[] | null;
  /** A rate-limit plan below the team's; null for the team's plan. */
  readonly plan: string | null;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastUsedIp: string | null;
  readonly replacedBy: string | null;
  readonly createdAt: string;
}

/** Owner and maker of a new key, with the limits that the new key cannot exceed. */
export interface KeyMaker extends Pick<Principal, 'userId' | 'teamId' | 'projectId' | 'scopes'> {
  readonly role: Role;
  /** Address list and expiry of the creating key; absent or null for none. */
  readonly allowedIps?: readonly string[] | null;
  readonly expiresAt?: string | null;
  /** The token issuer of the creating key. */
  readonly issuer?: string | null;
  /** The rate-limit plan of the creating key, if it is below the team's. */
  readonly plan?: string | null;
}

/** The requested fields of a new key. */
export interface NewKey {
  readonly name: string;
  /** Defaults to all scopes of its maker. */
  readonly scopes?: readonly ScopeGrant[];
  readonly environment?: KeyEnvironment;
  readonly projectId?: string | null;
  /** Defaults to those of its maker; null for any address. */
  readonly allowedIps?: readonly string[] | null;
  /** ISO 8601; null for never. Defaults to the expiry of its maker. */
  readonly expiresAt?: string | null;
  /** Name of a lower rate-limit plan; defaults to that of its maker. */
  readonly plan?: string;
  readonly origin?: KeyOrigin;
  /** The issuer of the token it is exchanged for; else that of its maker's key. */
  readonly issuer?: string;
}
