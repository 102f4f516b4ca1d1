import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { useAnnounce } from './announcer.tsx';

const SHOWN_MS = 4000;

const Show = createContext<(text: string) => void>(() => undefined);

/** Shows short confirmations of finished actions, 4 seconds each. Errors appear in an `ErrorNote` instead. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const announce = useAnnounce();
  const [shown, setShown] = useState<readonly { readonly key: number; readonly text: string }[]>([]);
  const show = useCallback(
    (text: string) => {
      const key = performance.now();
      announce(text);
      setShown((before) => [...before.slice(-2), { key, text }]);
      setTimeout(() => setShown((before) => before.filter((toast) => toast.key !== key)), SHOWN_MS);
    },
    [announce],
  );
  return (
    <Show value={show}>
      {children}
      {/* Screen readers ignore the visible toasts, because the announcer already reads their texts. */}
      <div aria-hidden className="pointer-events-none fixed right-4 bottom-4 z-50 flex flex-col gap-2">
        {shown.map(({ key, text }) => (
          <div key={key} className="rounded-md border border-border bg-surface px-3 py-2 shadow-overlay">
            {text}
          </div>
        ))}
      </div>
    </Show>
  );
}

/** Returns a function that shows a confirmation of a finished action: `toast('Key created')`. */
export function useToast(): (text: string) => void {
  return useContext(Show);
}
