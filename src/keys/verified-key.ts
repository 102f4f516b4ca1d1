import type { AddressRanges, Principal } from '../access/index.js';

/** A key that was found valid, with all that decides what it may do. */
export interface VerifiedKey {
  /** Its principal, but for the address of the call. */
  readonly rights: Omit<Principal, 'address'> & { readonly keyId: string };
  /** Epoch milliseconds; infinite for a key that does not expire. */
  readonly expiresAt: number;
  /** Address lists that all have to hold the caller: the owner's, the key's own. */
  readonly addressLists: readonly AddressRanges[];
}

/** The principal of a call made with a key from an address. */
export function principalOf({ rights }: VerifiedKey, address: string): Principal {
  return { ...rights, address };
}

export function mayBeUsedFrom({ addressLists }: VerifiedKey, address: string): boolean {
  return addressLists.every((list) => list.contains(address));
}

/** Whether two findings about one key give the same rights. */
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
