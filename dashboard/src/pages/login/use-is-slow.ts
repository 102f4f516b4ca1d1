import { useEffect, useState } from 'react';

/** Longer than checking a password takes on a busy machine. */
const SLOW_MS = 1_000;

/** Whether something has been busy for so long that a person wants to know why. */
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
