/** What is known of a caller that was refused. For the audit log, never for the response. */
export interface RefusedCaller {
  readonly teamId?: string;
  readonly projectId?: string | null;
  readonly userId?: string;
  readonly keyId?: string | null;
  /** Email address of a failed sign-in; only the id of its account is written. */
  readonly email?: string;
  /** Issuer of a JWT, once its signature was verified. */
  readonly issuer?: string;
}

/** Beside the errors and not in them, so that nothing of it gets into a response or a log line. */
const callers = new WeakMap<object, RefusedCaller>();

/** Remembers who is refused with an error, beside what is remembered of it. Returns the error. */
export function refusing<Thrown>(error: Thrown, caller: RefusedCaller): Thrown {
  if (typeof error === 'object' && error !== null) callers.set(error, { ...callers.get(error), ...caller });
  return error;
}

/** Who was refused with an error, as far as it is known. */
export function refusedCaller(error: object): RefusedCaller {
  return callers.get(error) ?? {};
}
