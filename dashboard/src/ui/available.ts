import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../api/api-error.ts';
import { availability } from '../api/availability.ts';

/** Whether the service answers, as far as is known. */
export function useAvailable(): boolean {
  return useSyncExternalStore(availability.watch, availability.read);
}

/** Forgets a failure that only said that the service was away, once it is back. */
export function useForgottenWhenBack(error: unknown, forget: () => void): void {
  const isStale = error instanceof ApiError && error.isUnavailable;
  useEffect(() => (isStale ? availability.whenBack(forget) : undefined));
}

/** What went wrong with an action, as a state: null where nothing did. */
export function useFailure(): readonly [failure: unknown, setFailure: (failure: unknown) => void] {
  const [failure, setFailure] = useState<unknown>(null);
  useForgottenWhenBack(failure, () => setFailure(null));
  return [failure, setFailure];
}
