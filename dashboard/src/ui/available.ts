import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../api/api-error.ts';
import { availability } from '../api/availability.ts';

/** Whether the service is available, as far as known. */
export function useAvailable(): boolean {
  return useSyncExternalStore(availability.watch, availability.read);
}

/** If the error means that the service was unavailable, calls `forget` when the service is available again. */
export function useForgottenWhenBack(error: unknown, forget: () => void): void {
  const isStale = error instanceof ApiError && error.isUnavailable;
  useEffect(() => (isStale ? availability.whenBack(forget) : undefined));
}

/**
 * The error of an action as state; null if there is none. An error because of an unavailable service is cleared when
 * the service is available again.
 */
export function useFailure(): readonly [failure: unknown, setFailure: (failure: unknown) => void] {
  const [failure, setFailure] = useState<unknown>(null);
  useForgottenWhenBack(failure, () => setFailure(null));
  return [failure, setFailure];
}
