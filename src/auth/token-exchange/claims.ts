import {
  isScopeGrant,
  type Role,
  ROLE_SCOPES,
  ROLES,
  type Scope,
  type ScopeGrant,
  SCOPES,
} from '../../access/index.js';
import type { TokenIssuer } from '../../platform/index.js';

/** What an issuer's token says about its subject, in the words of this service. */
export interface SubjectClaims {
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  /** Id of the team; undefined where neither the token nor the configuration names one. */
  readonly teamId: string | undefined;
  /** The most that the subject may be; undefined where the token does not say. */
  readonly role: Role | undefined;
  /** What the token gives; undefined for all that the role gives. */
  readonly scopes: readonly ScopeGrant[] | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/** Reads claims as the issuer's configuration maps them. */
export function subjectClaims(claims: Claims, issuer: TokenIssuer): SubjectClaims {
  const { claims: names, teams, roles, default_team, default_scopes } = issuer;
  const [team] = texts(names.team, claims).map((text) => mapped(teams, text) ?? text);
  const said = texts(names.role, claims).flatMap((text) => {
    const role = mapped(roles, text) ?? text;
    return isRole(role) ? [role] : [];
  });
  return {
    email: textOf(claimAt(claims, names.email)),
    isEmailVerified: claims['email_verified'] === true,
    name: textOf(claimAt(claims, names.name)),
    teamId: team ?? default_team,
    role: ROLES.findLast((role) => said.includes(role)),
    scopes: scopesOf(names.scopes, claims, default_scopes),
  };
}

/** The scopes that a token gives a subject of a role: those that both give. */
export function sharedScopes(given: readonly ScopeGrant[] | undefined, role: Role): readonly Scope[] {
  return SCOPES.filter(
    (scope) =>
      ROLE_SCOPES[role].has(scope) && (given === undefined || given.includes('*') || given.includes(scope)),
  );
}

/** Where a claim is configured and a token has none, the token gives only what the configuration does. */
function scopesOf(
  name: string | undefined,
  claims: Claims,
  fallback: readonly string[] | undefined,
): readonly ScopeGrant[] | undefined {
  const said = name === undefined ? undefined : claimAt(claims, name);
  if (said !== undefined)
    return texts(name, claims)
      .flatMap((text) => text.split(' '))
      .filter(isScopeGrant);
  if (fallback !== undefined) return fallback.filter(isScopeGrant);
  return name === undefined ? undefined : [];
}

function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => member(value, part), claims);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Claims)[name]
    : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && !value.includes('\0') && value.isWellFormed()
    ? value
    : undefined;
}

/** A claim of one text or of several. */
function texts(name: string | undefined, claims: Claims): readonly string[] {
  if (name === undefined) return [];
  const value = claimAt(claims, name);
  return (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []);
}

function mapped<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function isRole(value: string): value is Role {
  return (ROLES as readonly string[]).includes(value);
}
