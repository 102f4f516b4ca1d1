import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forget, queryClient, signInQuery, whenSignedOut } from './api/index.ts';
import { preloadPages, router } from './router.tsx';
import { AnnouncerProvider, ShortcutsProvider, ToastProvider, TooltipProvider } from './ui/index.ts';

/** Delay before the code of all pages is loaded, in milliseconds, so that it does not slow down the first page. */
const PRELOAD_AFTER_MS = 10_000;

export function App() {
  useEffect(() => whenSignedOut(leave), []);
  useEffect(() => {
    const timer = setTimeout(() => void preloadPages(), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
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
