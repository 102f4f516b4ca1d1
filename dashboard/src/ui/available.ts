import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../api/api-error.ts';
import { availability } from '../api/availability.ts';

/** Whether the service is available, as far as known. */
export function useAvailable(): boolean {
  return useSyncExternalStore(availability.watch, availability.read);
}

/** Calls `forget` when the service is available again, if the error came from an outage. */
export function useForgottenWhenBack(error: unknown, forget: () => void): void {
  const isStale = error instanceof ApiError && error.isUnavailable;
  useEffect(() => (isStale ? availability.whenBack(forget) : undefined));
}

/**
 * The error of an action as state. An error from an outage is cleared when the service is available
 * again.
 */
export function useFailure(): readonly [failure: unknown, setFailure: (failure: unknown) => void] {
  const [failure, setFailure] = useState<unknown>(null);
  useForgottenWhenBack(failure, () => setFailure(null));
  return [failure, setFailure];
}
