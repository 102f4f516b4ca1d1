import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../api/api-error.ts';
import { availability } from '../api/availability.ts';

/** Returns whether the service is available, according to the latest requests and probes. */
export function useAvailable(): boolean {
  return useSyncExternalStore(availability.watch, availability.read);
}

/** If `error` was caused by an outage, calls `forget` when the service is available again. */
export function useForgottenWhenBack(error: unknown, forget: () => void): void {
  const isStale = error instanceof ApiError && error.isUnavailable;
  useEffect(() => (isStale ? availability.whenBack(forget) : undefined));
}

/**
 * React state for the error of an action. An error that was caused by an outage is cleared when the service is
 * available again.
 */
export function useFailure(): readonly [failure: unknown, setFailure: (failure: unknown) => void] {
  const [failure, setFailure] = useState<unknown>(null);
  useForgottenWhenBack(failure, () => setFailure(null));
  return [failure, setFailure];
}
