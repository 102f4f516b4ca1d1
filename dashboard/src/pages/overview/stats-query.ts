import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../api/index.ts';

/** Figures of a day, as far as they are shown. */
export interface Stats {
  readonly ended: {
    readonly completed: number;
    readonly failed: number;
    readonly cancelled: number;
    readonly timed_out: number;
  };
  readonly success_rate: number | null;
  readonly duration_ms: { readonly p95: number | null };
  readonly active: { readonly total: number };
  /** Every hour, the oldest first. */
  readonly series: readonly { readonly at: string; readonly completed: number; readonly failed: number }[];
}

/** The figures of the last 24 hours; null where this service has none. */
export const statsQuery = (projectId: string | undefined) =>
  queryOptions({
    queryKey: ['executions', 'stats', projectId],
    queryFn: async ({ signal }): Promise<Stats | null> => {
      const query = new URLSearchParams({ window: '24h', ...(projectId && { project_id: projectId }) });
      const response = await fetch(`/v1/executions/stats?${query}`, { signal });
      // A service without figures takes "stats" for the id of a run.
      if (response.status === 404 || response.status === 400) return null;
      const body: unknown = await response.json().catch(() => undefined);
      if (!response.ok) throw ApiError.of(body, response);
      return body as Stats;
    },
  });
