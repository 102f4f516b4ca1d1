import { onlineManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { availability } from './availability.ts';

const MOST_TRIES = 2;

/** Cache of all service data. It is cleared on sign-in, sign-out and team switch. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Only network errors and 5xx responses are retried; refusals are final.
      retry: (failures, error) =>
        failures < MOST_TRIES && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      retryDelay: (failures) => 300 * 2 ** failures,
    },
    // A mutation fails immediately if the service is unreachable. Mutations are never retried automatically.
    mutations: { networkMode: 'always' },
  },
});

// While the service is unavailable, queries pause instead of failing. They resume when the service is available.
onlineManager.setEventListener((setOnline) => availability.watch(() => setOnline(availability.read())));
availability.whenBack(() => {
  void queryClient.invalidateQueries(undefined, { cancelRefetch: false });
});
