import { useEffect, useState } from 'react';

/** Pause in typing after which `useSettled` returns the new text, in milliseconds. */
const SETTLE_MS = 350;

export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
