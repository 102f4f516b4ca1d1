import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';

const Announce = createContext<(text: string) => void>(() => undefined);

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', turn: 0 });
  const announce = useCallback((text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), []);
  return (
    <Announce value={announce}>
      {children}
      {/* A new React key replaces the element, so that screen readers also announce a text that equals the previous
          text. */}
      <div aria-live="polite" role="status" className="sr-only">
        <span key={said.turn}>{said.text}</span>
      </div>
    </Announce>
  );
}

/** Returns a function that makes screen readers announce a text. */
export function useAnnounce(): (text: string) => void {
  return useContext(Announce);
}

/**
 * Like `useAnnounce`, but announces at most one text every `everyMs` milliseconds. Of the texts in one interval, only
 * the latest is announced.
 */
export function useCalmAnnounce(everyMs = 2000): (text: string) => void {
  const announce = useAnnounce();
  const waiting = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  return useCallback(
    (text: string) => {
      if (timer.current !== undefined) {
        waiting.current = text;
        return;
      }
      announce(text);
      timer.current = setTimeout(() => {
        timer.current = undefined;
        const next = waiting.current;
        waiting.current = null;
        if (next !== null) announce(next);
      }, everyMs);
    },
    [announce, everyMs],
  );
}
