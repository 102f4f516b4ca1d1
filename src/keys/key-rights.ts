import { AddressRanges, grants } from '../access/index.js';
import type { ApiKey } from './api-key.js';

/** The limits of a key in addition to its owner's role. */
export type KeyRights = Pick<ApiKey, 'scopes' | 'projectId' | 'allowedIps' | 'expiresAt'>;

/** The first field in which a key would exceed the limit. */
export interface Excess {
  readonly field: 'scopes' | 'project_id' | 'allowed_ips' | 'expires_at' | 'plan';
  /** The scope that exceeds the limit, if the field is `scopes`. */
  readonly scope?: string;
}

/** The first field in which `wanted` exceeds `limit`. */
export function excessOf(wanted: KeyRights, limit: KeyRights): Excess | undefined {
  const scope = wanted.scopes.find((one) =>
    one === '*' ? !limit.scopes.includes('*') : !grants(limit.scopes, one),
  );
  if (scope !== undefined) return { field: 'scopes', scope };
  if (limit.projectId !== null && wanted.projectId !== limit.projectId) return { field: 'project_id' };
  if (!isWithinAddresses(wanted.allowedIps, limit.allowedIps)) return { field: 'allowed_ips' };
  if (!endsInTime(wanted.expiresAt, limit.expiresAt)) return { field: 'expires_at' };
  return undefined;
}

function isWithinAddresses(wanted: KeyRights['allowedIps'], limit: KeyRights['allowedIps']): boolean {
  if (limit === null) return true;
  return wanted !== null && AddressRanges.of(limit).covers(AddressRanges.of(wanted));
}

function endsInTime(wanted: string | null, limit: string | null): boolean {
  if (limit === null) return true;
  return wanted !== null && Date.parse(wanted) <= Date.parse(limit);
}
