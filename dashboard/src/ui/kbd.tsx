import type { ReactNode } from 'react';

export function Kbd({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="ml-1.5 rounded-[4px] border border-border px-1 font-mono text-label font-normal text-text-3">
      {children}
    </kbd>
  );
}
