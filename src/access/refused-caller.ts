/**
 * What is known about a caller whose request was refused. The audit log records this data; the response never
 * contains it.
 */
export interface RefusedCaller {
  readonly teamId?: string;
  readonly projectId?: string | null;
  readonly userId?: string;
  readonly keyId?: string | null;
  /** Email address of a failed sign-in. The audit log stores only the id of the account with this address. */
  readonly email?: string;
  /** Issuer of a JWT; set only if the signature of the JWT is valid. */
  readonly issuer?: string;
}

/** Callers by error. The errors themselves do not contain the caller, so that no response or log line shows it. */
const callers = new WeakMap<object, RefusedCaller>();

/**
 * Stores what is known about the caller whom an error refuses.
 * @returns the error
 */
export function refusing<Thrown>(error: Thrown, caller: RefusedCaller): Thrown {
  if (typeof error === 'object' && error !== null) callers.set(error, { ...callers.get(error), ...caller });
  return error;
}

/** What is known about the caller whom an error refused; empty if `refusing` was not called for the error. */
export function refusedCaller(error: object): RefusedCaller {
  return callers.get(error) ?? {};
}
