/** Data about a refused caller. Only the audit log contains this data; responses never do. */
export interface RefusedCaller {
  readonly teamId?: string;
  readonly projectId?: string | null;
  readonly userId?: string;
  readonly keyId?: string | null;
  /**
   * Email address of a failed sign-in. The audit log stores the id of the account with this address, but not the
   * address.
   */
  readonly email?: string;
  /** Issuer of the refused JWT. Set only if the signature of the JWT is valid. */
  readonly issuer?: string;
}

/**
 * The refused caller for each error object. The data is kept outside of the errors, so that no response or
 * log line contains it.
 */
const callers = new WeakMap<object, RefusedCaller>();

/** Records the caller that an error refuses, and returns the error. */
export function refusing<Thrown>(error: Thrown, caller: RefusedCaller): Thrown {
  if (typeof error === 'object' && error !== null) callers.set(error, { ...callers.get(error), ...caller });
  return error;
}

/** Returns the data about the caller that an error refuses; empty if `refusing` was not called for the error. */
export function refusedCaller(error: object): RefusedCaller {
  return callers.get(error) ?? {};
}
