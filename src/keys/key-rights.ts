import { AddressRanges, grants } from '../access/index.js';
import type { ApiKey } from './api-key.js';

/** The rights of an API key. The role of its owner may restrict the key further. */
export type KeyRights = Pick<ApiKey, 'scopes' | 'projectId' | 'allowedIps' | 'expiresAt'>;

/** A field in which a key would exceed the rights that its creator may grant. */
export interface Excess {
  readonly field: 'scopes' | 'project_id' | 'allowed_ips' | 'expires_at' | 'plan';
  /** The scope that the creator may not grant; present only if `field` is `scopes`. */
  readonly scope?: string;
}

/**
 * Returns the first field in which the wanted rights exceed the limit; undefined if all fields are within the limit.
 */
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
