import {
  isScopeGrant,
  type Role,
  ROLE_SCOPES,
  ROLES,
  type Scope,
  type ScopeGrant,
  SCOPES,
} from '../access/index.js';
import type { TokenIssuer } from '../settings/index.js';
import { UnlistedRoleError, UnlistedTeamError } from './token-exchange.errors.js';

export interface SubjectClaims {
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  /** The scopes that the JWT grants. Undefined if the JWT grants all scopes of the user's role. */
  readonly scopes: readonly ScopeGrant[] | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

export function subjectClaims(claims: Claims, { claims: names, default_scopes }: TokenIssuer): SubjectClaims {
  return {
    email: textOf(claimAt(claims, names.email)),
    isEmailVerified: claims['email_verified'] === true,
    name: textOf(claimAt(claims, names.name)),
    scopes: scopesOf(names.scopes, claims, default_scopes),
  };
}

/**
 * Returns the id of the team that a JWT names, or else the `default_team` of the issuer; undefined if neither exists.
 * The id is not validated, and the team may not exist.
 *
 * @throws UnlistedTeamError if the JWT names teams, and the issuer's configuration allows none of them
 */
export function claimedTeam(claims: Claims, issuer: TokenIssuer): string | undefined {
  const { claims: names, teams, any_team, default_team } = issuer;
  const values = valuesOf(names.team, claims);
  if (values.length === 0) return default_team;
  const [team] = values.flatMap((value) => {
    const text = textOf(value);
    return text === undefined ? [] : (mapped(teams, text) ?? (any_team ? text : []));
  });
  if (team === undefined) throw new UnlistedTeamError();
  return team;
}

/**
 * Returns the highest role that a JWT grants; undefined if the JWT names no role.
 * @throws UnlistedRoleError if the JWT names roles, and the issuer may grant none of them
 */
export function claimedRole(claims: Claims, issuer: TokenIssuer): Role | undefined {
  const { claims: names, roles, any_team, allow_owner } = issuer;
  const values = valuesOf(names.role, claims);
  if (values.length === 0) return undefined;
  const given = values.flatMap((value) => {
    const text = textOf(value);
    const role = text === undefined ? undefined : (mapped(roles, text) ?? (any_team ? text : undefined));
    return role !== undefined && isRole(role) && (role !== 'owner' || allow_owner) ? [role] : [];
  });
  const highest = ROLES.findLast((role) => given.includes(role));
  if (highest === undefined) throw new UnlistedRoleError();
  return highest;
}

export function sharedScopes(given: readonly ScopeGrant[] | undefined, role: Role): readonly Scope[] {
  return SCOPES.filter(
    (scope) =>
      ROLE_SCOPES[role].has(scope) && (given === undefined || given.includes('*') || given.includes(scope)),
  );
}

/**
 * Returns the scopes that a JWT grants. If the JWT has no scope claim, the issuer's configured default scopes apply.
 */
function scopesOf(
  name: string | undefined,
  claims: Claims,
  fallback: readonly string[] | undefined,
): readonly ScopeGrant[] | undefined {
  const value = name === undefined ? undefined : claimAt(claims, name);
  if (value !== undefined)
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

/** Returns the strings in a claim whose value is a string or a list. Values of other types are omitted. */
function texts(name: string | undefined, claims: Claims): readonly string[] {
  return valuesOf(name, claims).flatMap((value) => textOf(value) ?? []);
}

/**
 * Returns the elements of a claim whose value is a list, or else the value as the only element. Omits null and empty
 * strings.
 */
function valuesOf(name: string | undefined, claims: Claims): readonly unknown[] {
  const value = name === undefined ? undefined : claimAt(claims, name);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => one !== undefined && one !== null && one !== '');
}

function mapped<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function isRole(value: string): value is Role {
  return (ROLES as readonly string[]).includes(value);
}
