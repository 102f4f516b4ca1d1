import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forget, queryClient, signInQuery, whenSignedOut } from './api/index.ts';
import { preloadPages, router } from './router.tsx';
import { AnnouncerProvider, ShortcutsProvider, ToastProvider, TooltipProvider } from './ui/index.ts';

/** Everything that any page may need, around the page of the present address. */
export function App() {
  useEffect(() => whenSignedOut(leave), []);
  useEffect(() => whenIdle(() => void preloadPages()), []);
  return (
    <QueryClientProvider client={queryClient}>
      <AnnouncerProvider>
        <ToastProvider>
          <TooltipProvider delayDuration={300}>
            <ShortcutsProvider>
              <RouterProvider router={router} />
            </ShortcutsProvider>
          </TooltipProvider>
        </ToastProvider>
      </AnnouncerProvider>
    </QueryClientProvider>
  );
}

/** Calls once the first page has been drawn and nothing else is to do. @returns takes it back */
function whenIdle(act: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(act, 2_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act);
  return () => cancelIdleCallback(handle);
}

/** The sign-in has ended while a page was open: the reader comes back to it after signing in again. */
function leave(): void {
  const { pathname, searchStr } = router.state.location;
  // Pages outside the sign-in stay open to a reader who was never signed in.
  const wasSignedIn = (queryClient.getQueryData(signInQuery.queryKey) ?? null) !== null;
  if (pathname === '/login' || !wasSignedIn) return;
  forget();
  void router.navigate({ to: '/login', search: { next: `${pathname}${searchStr}` } });
}
