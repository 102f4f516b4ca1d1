import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forget, queryClient, signInQuery, whenSignedOut } from './api/index.ts';
import { preloadPages, router } from './router.tsx';
import { AnnouncerProvider, ShortcutsProvider, ToastProvider, TooltipProvider } from './ui/index.ts';

/** Provides the contexts that pages need and renders the page of the current URL. */
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

/** Calls `act` once the first page is rendered and the browser is idle. @returns cancels the call */
function whenIdle(act: () => void): () => void {
  // Safari has no `requestIdleCallback`.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(act, 2_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act);
  return () => cancelIdleCallback(handle);
}

/** If the sign-in ends while a page is open, opens the sign-in page and returns to the page afterwards. */
function leave(): void {
  const { pathname, searchStr } = router.state.location;
  // Public pages stay open for visitors who were never signed in.
  const wasSignedIn = (queryClient.getQueryData(signInQuery.queryKey) ?? null) !== null;
  if (pathname === '/login' || !wasSignedIn) return;
  forget();
  void router.navigate({ to: '/login', search: { next: `${pathname}${searchStr}` } });
}
