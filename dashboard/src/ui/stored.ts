import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/** A stored value of this browser; null if there is none or storage is unavailable. */
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
    // Without storage, a setting lasts until the page is closed.
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

/** A user setting stored in this browser. Never store secrets in it. */
export function useStored(
  name: string,
): readonly [value: string | null, set: (value: string | null) => void] {
  const value = useSyncExternalStore(subscribe, () => readStored(name));
  return [value, (next) => store(name, next)];
}
