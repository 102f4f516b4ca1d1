import { useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useFailure } from './available.ts';

export interface Submission {
  readonly busy: boolean;
  /** Error that the form shows at its top, because no field shows this error. */
  readonly note: unknown;
  readonly error: unknown;
  /** Returns the error message of a field. `field` is the path of the field in the request body. */
  readonly faultOf: (field: string) => string | undefined;
  /** Calls `act`, unless an earlier call is in progress. Resolves to whether `act` was called and succeeded. */
  readonly send: (act: () => Promise<void>) => Promise<boolean>;
  readonly reset: () => void;
}

/** @param fields paths of the fields that show their own errors */
export function useSubmit(...fields: readonly string[]): Submission {
  const [busy, setBusy] = useState(false);
  // The keyboard can submit again before the form renders as busy.
  const isUnderWay = useRef(false);
  const [error, setError] = useFailure();
  const faultOf = (field: string): string | undefined =>
    error instanceof ApiError ? error.faultOf(field) : undefined;
  const send = async (act: () => Promise<void>): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setBusy(true);
    setError(null);
    try {
      await act();
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  const isElsewhere = error !== null && fields.every((field) => faultOf(field) === undefined);
  return { busy, error, note: isElsewhere ? error : null, faultOf, send, reset: () => setError(null) };
}
