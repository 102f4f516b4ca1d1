/** Data about a refused caller for the audit log, never for the response. */
export interface RefusedCaller {
  readonly teamId?: string;
  readonly projectId?: string | null;
  readonly userId?: string;
  readonly keyId?: string | null;
  /** Email address of a failed sign-in. The audit log stores only the id of the account with this address. */
  readonly email?: string;
  /** Issuer of a JWT whose signature is valid. */
  readonly issuer?: string;
}

/** Kept outside of the errors, so that no response or log line shows the caller. */
const callers = new WeakMap<object, RefusedCaller>();

/** Records the caller whom an error refuses, and returns the error. */
export function refusing<Thrown>(error: Thrown, caller: RefusedCaller): Thrown {
  if (typeof error === 'object' && error !== null) callers.set(error, { ...callers.get(error), ...caller });
  return error;
}

/** Empty if `refusing` was not called for the error. */
export function refusedCaller(error: object): RefusedCaller {
  return callers.get(error) ?? {};
}
