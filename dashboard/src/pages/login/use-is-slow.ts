import { useEffect, useState } from 'react';

/** Milliseconds after which an operation counts as slow. A password check usually takes less time. */
const SLOW_MS = 1_000;

/** Whether an operation has been running for more than 1 s, so that the user needs an explanation. */
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
