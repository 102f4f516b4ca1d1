import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { executionTransition, isOccurrence, isOfNode } from '../../../../src/execution-events/index.ts';
import { executionsQuery, type ListExecutionsData, type WorkflowEvent } from '../../api/index.ts';
import type { RunStatus } from '../../format/index.ts';
import { useLiveEvents } from '../../live/index.ts';

const SETTLE_MS = 250;

/** Updates the statuses of the displayed executions from live events. No row is added, removed or moved. */
export function useLiveRows(query: ListExecutionsData['query'], shown: ReadonlySet<string>): void {
  const queryClient = useQueryClient();
  const latest = useRef(new Map<string, WorkflowEvent>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents((event) => {
    if (event.node_id !== null || !shown.has(event.execution_id)) return;
    latest.current.set(event.execution_id, event);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const changes = latest.current;
      latest.current = new Map();
      const { queryKey } = executionsQuery(query);
      queryClient.setQueryData(
        queryKey,
        (before) =>
          before && {
            ...before,
            data: before.data.map((row) => ({ ...row, ...changeOf(row.status, changes.get(row.id)) })),
          },
        // This update keeps the time of the last fetch in the cache entry. Otherwise, executions created after the
        // fetch would no longer count as new.
        { updatedAt: queryClient.getQueryState(queryKey)?.dataUpdatedAt },
      );
    }, SETTLE_MS);
  });
}

function changeOf(before: RunStatus, event: WorkflowEvent | undefined) {
  if (event === undefined || !isOccurrence(event) || isOfNode(event)) return {};
  const { status, marks } = executionTransition(event, before);
  return {
    status,
    ...(marks === 'start' && { started_at: event.created_at }),
    ...('duration_ms' in event.data && {
      finished_at: event.created_at,
      duration_ms: event.data.duration_ms,
    }),
  };
}
