import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveEvents } from './live.tsx';

/** Minimum interval between two refetches, in milliseconds. */
const SETTLE_MS = 1000;

/**
 * Refetches queries when an execution changes its status, for example when it starts or ends. Events of nodes cause no
 * refetch.
 */
export function useLiveRefresh(queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents(({ node_id }) => {
    if (node_id !== null) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey });
    }, SETTLE_MS);
  });
}
