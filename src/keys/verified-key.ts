import type { AddressRanges, Principal } from '../access/index.js';

/** A valid key with everything that determines its rights. */
export interface VerifiedKey {
  /** The principal of the key. A request adds its address. */
  readonly rights: Omit<Principal, 'address'> & { readonly keyId: string };
  /** Epoch milliseconds. Infinity for a key without an expiry. */
  readonly expiresAt: number;
  /** The address lists of the owner and of the key. Each list must contain the caller's address. */
  readonly addressLists: readonly AddressRanges[];
}

/** The principal of a request from an address. */
export function principalOf({ rights }: VerifiedKey, address: string): Principal {
  return { ...rights, address };
}

export function mayBeUsedFrom({ addressLists }: VerifiedKey, address: string): boolean {
  return addressLists.every((list) => list.contains(address));
}

export function sameRights(left: Omit<Principal, 'address'>, right: Omit<Principal, 'address'>): boolean {
  return (
    left.userId === right.userId &&
    left.teamId === right.teamId &&
    left.projectId === right.projectId &&
    left.role === right.role &&
    left.plan === right.plan &&
    left.keyPlan === right.keyPlan &&
    left.scopes.length === right.scopes.length &&
    left.scopes.every((scope) => right.scopes.includes(scope))
  );
}
