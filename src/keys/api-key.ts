import type { Principal, Role, ScopeGrant } from '../access/index.js';

export const KEY_ENVIRONMENTS = ['development', 'staging', 'production'] as const;
/** Of a key that is made without one. */
export const DEFAULT_KEY_ENVIRONMENT = 'production';
export type KeyEnvironment = (typeof KEY_ENVIRONMENTS)[number];

/** Where a key comes from: made by a person, or given in exchange for an identity provider's token. */
export type KeyOrigin = 'created' | 'exchanged';

/** Longest name of a key. */
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
  /** The one project it reaches; null for all of the team. */
  readonly projectId: string | null;
  readonly userId: string;
  /** Addresses and CIDR ranges it may be used from; null for those of its owner. */
  readonly allowedIps: readonly string[] | null;
  /** A lower rate-limit plan than the team's; null for that of the team. */
  readonly plan: string | null;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastUsedIp: string | null;
  readonly replacedBy: string | null;
  readonly createdAt: string;
}

/** Who a new key is made for and by: it can never give more than this. */
export interface KeyMaker extends Pick<Principal, 'userId' | 'teamId' | 'projectId' | 'scopes'> {
  readonly role: Role;
  /** Addresses and end of the key that makes it; left out, or null, for none. */
  readonly allowedIps?: readonly string[] | null;
  readonly expiresAt?: string | null;
  /** The token issuer that the key comes from that makes it. */
  readonly issuer?: string | null;
  /** The lower plan of the key that makes it. */
  readonly plan?: string | null;
}

/** What is asked for in a new key. */
export interface NewKey {
  readonly name: string;
  /** Where none are given, all that the maker has. */
  readonly scopes?: readonly ScopeGrant[];
  readonly environment?: KeyEnvironment;
  readonly projectId?: string | null;
  /** Where none are given, those of its maker; null for any. */
  readonly allowedIps?: readonly string[] | null;
  /** ISO 8601; null for never. Where it is not given, when its maker ends. */
  readonly expiresAt?: string | null;
  /** Name of a lower rate-limit plan; where none is given, that of its maker. */
  readonly plan?: string;
  readonly origin?: KeyOrigin;
  /** The issuer of the token that it is given in exchange for; else that of its maker's key. */
  readonly issuer?: string;
}
