import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forget, queryClient, signInQuery, whenSignedOut } from './api/index.ts';
import { preloadPages, router } from './router.tsx';
import { AnnouncerProvider, ShortcutsProvider, ToastProvider, TooltipProvider } from './ui/index.ts';

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

/**
 * Calls `act` when the browser is idle, or after 2 seconds if the browser cannot report idle time.
 * @returns a function that cancels the call
 */
function whenIdle(act: () => void): () => void {
  // Safari has no `requestIdleCallback`, so `act` is called after 2 seconds.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(act, 2_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act);
  return () => cancelIdleCallback(handle);
}

/**
 * Opens the sign-in page when a sign-in has ended. After the next sign-in, the user returns to the page that was open.
 */
function leave(): void {
  const { pathname, searchStr } = router.state.location;
  // Visitors who were not signed in stay on their page, because public pages need no sign-in.
  const wasSignedIn = (queryClient.getQueryData(signInQuery.queryKey) ?? null) !== null;
  if (pathname === '/login' || !wasSignedIn) return;
  forget();
  void router.navigate({ to: '/login', search: { next: `${pathname}${searchStr}` } });
}
