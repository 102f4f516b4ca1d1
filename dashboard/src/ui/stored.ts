import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/** What this browser keeps under a name; null where nothing is kept, or storage is closed. */
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
    // Without storage a choice holds until the page is left.
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

/** A choice of the reader's that this browser keeps. No secret ever goes here. */
export function useStored(
  name: string,
): readonly [value: string | null, set: (value: string | null) => void] {
  const value = useSyncExternalStore(subscribe, () => readStored(name));
  return [value, (next) => store(name, next)];
}
