import { onlineManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { availability } from './availability.ts';

const MOST_TRIES = 2;

/**
 * Cache of all data that the dashboard reads from the service. Sign-in, sign-out and a change of team clear the cache.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A failed query is retried at most twice, and only after a network error or a 5xx response.
      retry: (failures, error) =>
        failures < MOST_TRIES && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      retryDelay: (failures) => 300 * 2 ** failures,
    },
    // Mutations fail immediately while the service is unreachable, and are never retried.
    mutations: { networkMode: 'always' },
  },
});

// Queries pause while the service is unavailable, instead of failing.
onlineManager.setEventListener((setOnline) => availability.watch(() => setOnline(availability.read())));
availability.whenBack(() => {
  void queryClient.invalidateQueries(undefined, { cancelRefetch: false });
});
