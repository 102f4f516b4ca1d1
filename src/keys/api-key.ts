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
  /** The only project that the key can access; null for all projects of the team. */
  readonly projectId: string | null;
  readonly userId: string;
  /** Addresses and CIDR ranges from which the key may be used; null if only the list of its owner applies. */
  readonly allowedIps: readonly string[] | null;
  /** A rate-limit plan that is lower than the plan of the team; null if the team's plan applies. */
  readonly plan: string | null;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastUsedIp: string | null;
  readonly replacedBy: string | null;
  readonly createdAt: string;
}

/** Owner of a new key, with the limits of the creating key. The new key cannot exceed them. */
export interface KeyMaker extends Pick<Principal, 'userId' | 'teamId' | 'projectId' | 'scopes'> {
  readonly role: Role;
  /** Address list and expiry of the creating key; absent or null for none. */
  readonly allowedIps?: readonly string[] | null;
  readonly expiresAt?: string | null;
  /** The token issuer of the creating key; absent or null for none. */
  readonly issuer?: string | null;
  /** The rate-limit plan of the creating key, if it is lower than the plan of the team. */
  readonly plan?: string | null;
}

/** The requested fields of a new key. */
export interface NewKey {
  readonly name: string;
  /** Defaults to all scopes of the creator. */
  readonly scopes?: readonly ScopeGrant[];
  readonly environment?: KeyEnvironment;
  readonly projectId?: string | null;
  /** Defaults to the address list of the creating key; null for any address. */
  readonly allowedIps?: readonly string[] | null;
  /** ISO 8601; null for never. Defaults to the expiry of the creating key. */
  readonly expiresAt?: string | null;
  /** Name of a rate-limit plan that is lower than the plan of the team. Defaults to the plan of the creating key. */
  readonly plan?: string;
  readonly origin?: KeyOrigin;
  /** The issuer of the JWT that was exchanged for the new key or for the creating key. */
  readonly issuer?: string;
}
