import { useEffect, useState } from 'react';

/** Milliseconds after which an operation counts as slow. A password check takes less. */
const SLOW_MS = 1_000;

/** Whether an operation takes so long that the user needs an explanation. */
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
