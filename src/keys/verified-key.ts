import type { AddressRanges, Principal } from '../access/index.js';

/** A valid API key with all data that determines its rights. */
export interface VerifiedKey {
  /** Principal that the key authenticates, without the address of the request. */
  readonly rights: Omit<Principal, 'address'> & { readonly keyId: string };
  /** Expiry of the key in epoch milliseconds; infinity for a key that does not expire. */
  readonly expiresAt: number;
  /** Address lists of the owner and of the key. The key may be used only from addresses that are in all lists. */
  readonly addressLists: readonly AddressRanges[];
}

/** Returns the principal of a request that used the key from an address. */
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
