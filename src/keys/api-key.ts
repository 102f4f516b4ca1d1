import type { Principal, Role, ScopeGrant } from '../access/index.js';

export const KEY_ENVIRONMENTS = ['development', 'staging', 'production'] as const;
export const DEFAULT_KEY_ENVIRONMENT = 'production';
export type KeyEnvironment = (typeof KEY_ENVIRONMENTS)[number];

/** A key was created by a person, or issued in exchange for an identity provider's token. */
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
  /** The only accessible project. Null for all projects of the team. */
  readonly projectId: string | null;
  readonly userId: string;
  /** Addresses and CIDR ranges that may use the key. Null for no additional limit. */
  readonly allowedIps: readonly string[] | null;
  /** A plan that is lower than the team's rate-limit plan. Null for the plan of the team. */
  readonly plan: string | null;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastUsedIp: string | null;
  readonly replacedBy: string | null;
  readonly createdAt: string;
}

/** Owner of a new key, with the limits of the creating key. */
export interface KeyMaker extends Pick<Principal, 'userId' | 'teamId' | 'projectId' | 'scopes'> {
  readonly role: Role;
  /** Address list and expiry of the creating key. Absent or null for none. */
  readonly allowedIps?: readonly string[] | null;
  readonly expiresAt?: string | null;
  /** The token issuer of the creating key. Absent or null for none. */
  readonly issuer?: string | null;
  /** The creating key's plan, if lower than the rate-limit plan of the team. */
  readonly plan?: string | null;
}

export interface NewKey {
  readonly name: string;
  /** Scopes of the new key. Default: all scopes of its creator. */
  readonly scopes?: readonly ScopeGrant[];
  readonly environment?: KeyEnvironment;
  readonly projectId?: string | null;
  /** Null for any address. Default: the address list of the creating key. */
  readonly allowedIps?: readonly string[] | null;
  /** ISO 8601, or null for never. Default: the expiry of the creating key. */
  readonly expiresAt?: string | null;
  /** A plan that is lower than the team's rate-limit plan. Default: the plan of the creating key. */
  readonly plan?: string;
  readonly origin?: KeyOrigin;
  /** The issuer of the JWT that was exchanged for this key or its creating key. */
  readonly issuer?: string;
}
