import { checkedAddressList, type Role, ROLE_SCOPES, type ScopeGrant } from '../access/index.js';
import { instantOf, isoTime } from '../platform/index.js';
import { MAX_KEY_NAME_LENGTH } from './api-key.js';
import { InvalidKeyFieldError, KeyExceedsMakerError } from './keys.errors.js';

/** @throws InvalidKeyFieldError */
export function checkedName(name: string): string {
  const chosen = name.trim();
  if (chosen !== '' && chosen.length <= MAX_KEY_NAME_LENGTH) return chosen;
  throw new InvalidKeyFieldError('name', `must have 1 to ${MAX_KEY_NAME_LENGTH} characters`);
}

/**
 * @throws InvalidKeyFieldError
 *
 * @throws KeyExceedsMakerError when a scope is requested that the role never grants.
 */
export function checkedScopes(role: Role, wanted: readonly ScopeGrant[]): readonly ScopeGrant[] {
  if (wanted.length === 0) throw new InvalidKeyFieldError('scopes', 'must name at least one scope');
  requireOfRole(role, wanted);
  return [...new Set(wanted)];
}

/** @throws KeyExceedsMakerError when a scope is requested that the role never grants. */
export function requireOfRole(role: Role, scopes: readonly ScopeGrant[]): void {
  for (const scope of scopes)
    if (scope !== '*' && !ROLE_SCOPES[role].has(scope))
      throw new KeyExceedsMakerError({ field: 'scopes', scope });
}

/**
 * Validates a list of addresses and CIDR ranges. Null stands for no list and is returned unchanged.
 * @throws ValidationError that names every invalid entry
 */
export function checkedAddresses(wanted: readonly string[] | null): readonly string[] | null {
  return checkedAddressList(wanted, 'allowed_ips');
}

/**
 * @param now epoch milliseconds
 *
 * @throws InvalidKeyFieldError
 */
export function checkedExpiry(wanted: string | null, now: number): string | null {
  if (wanted === null) return null;
  const at = instantOf(wanted);
  if (at !== undefined && at > now) return isoTime(at);
  throw new InvalidKeyFieldError(
    'expires_at',
    'must be a date-time in the future with a time zone, such as 2027-11-21T10:00:00Z',
  );
}
