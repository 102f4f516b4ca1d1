import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useFailure } from './available.ts';

/** How the sending of a form stands. */
export interface Submission {
  readonly busy: boolean;
  /** What went wrong, where no field of the form says it. */
  readonly note: unknown;
  readonly error: unknown;
  /** What is wrong with a field, by its path in the body. */
  readonly faultOf: (field: string) => string | undefined;
  /** Sends. @returns whether it went well */
  readonly send: (act: () => Promise<void>) => Promise<boolean>;
  readonly reset: () => void;
}

/** @param fields those that show their own fault */
export function useSubmit(...fields: readonly string[]): Submission {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useFailure();
  const faultOf = (field: string): string | undefined =>
    error instanceof ApiError ? error.faultOf(field) : undefined;
  const send = async (act: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    setError(null);
    try {
      await act();
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const isElsewhere = error !== null && fields.every((field) => faultOf(field) === undefined);
  return { busy, error, note: isElsewhere ? error : null, faultOf, send, reset: () => setError(null) };
}
