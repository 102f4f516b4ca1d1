/** What is known about a refused caller. For the audit log, never for the response. */
export interface RefusedCaller {
  readonly teamId?: string;
  readonly projectId?: string | null;
  readonly userId?: string;
  readonly keyId?: string | null;
  /** Email address of a failed sign-in; the audit log stores only the id of its account. */
  readonly email?: string;
  /** Issuer of a JWT, once its signature was verified. */
  readonly issuer?: string;
}

/** Kept beside the errors, so that none of it appears in a response or a log line. */
const callers = new WeakMap<object, RefusedCaller>();

/** Stores what is known about the caller whom an error refuses. Returns the error. */
export function refusing<Thrown>(error: Thrown, caller: RefusedCaller): Thrown {
  if (typeof error === 'object' && error !== null) callers.set(error, { ...callers.get(error), ...caller });
  return error;
}

/** What is known about the caller whom an error refused. */
export function refusedCaller(error: object): RefusedCaller {
  return callers.get(error) ?? {};
}
