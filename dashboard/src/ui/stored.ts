import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/**
 * Reads a value from the local storage of the browser; null if there is no value, or if local storage is unavailable.
 */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // If local storage is unavailable, the value is not stored.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** React state for a setting that the local storage of the browser keeps. Never store secrets in it. */
export function useStored(
  name: string,
): readonly [value: string | null, set: (value: string | null) => void] {
  const value = useSyncExternalStore(subscribe, () => readStored(name));
  return [value, (next) => store(name, next)];
}
