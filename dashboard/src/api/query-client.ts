import { onlineManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { availability } from './availability.ts';

const MOST_TRIES = 2;

/** What the pages know of the service; emptied when somebody signs in or out, or switches to another team. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays one; only silence and faults of the service are asked about again.
      retry: (failures, error) =>
        failures < MOST_TRIES && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      retryDelay: (failures) => 300 * 2 ** failures,
    },
    // An action that found no service fails, and is not done by itself later.
    mutations: { networkMode: 'always' },
  },
});

// While the service is unavailable, queries wait in place of failing, and go on once it is back.
onlineManager.setEventListener((setOnline) => availability.watch(() => setOnline(availability.read())));
availability.whenBack(() => {
  void queryClient.invalidateQueries(undefined, { cancelRefetch: false });
});
