import { useEffect, useState } from 'react';

/** Longer than a password check takes on a busy machine. */
const SLOW_MS = 1_000;

/** Whether an operation has lasted so long that the user needs an explanation. */
export function useIsSlow(busy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return isSlow;
}
