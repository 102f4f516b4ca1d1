import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { executionsQuery } from '../../api/index.ts';
import { useLiveEvents } from '../../live/index.ts';
import { useProject } from '../../shell/project.ts';
import { PageHeader } from '../../ui/index.ts';
import { Figures } from './figures.tsx';
import { GettingStarted } from './getting-started.tsx';
import { RunSection } from './run-section.tsx';

/** Runs are read again at most this often, however much happens. */
const SETTLE_MS = 1000;

export function OverviewPage() {
  const { projectId } = useProject();
  const any = useQuery(executionsQuery({ limit: 1, offset: 0, project_id: projectId })).data;
  useLiveRuns();
  return (
    <>
      <PageHeader title="Overview" />
      <Figures projectId={projectId} />
      <GettingStarted />
      <RunSection
        title="Running now"
        statuses={['running', 'waiting', 'queued', 'paused']}
        projectId={projectId}
        none={any?.data.length === 0 ? 'Nothing has run yet.' : 'Nothing runs at the moment.'}
      />
      <RunSection
        title="Last failures"
        statuses={['failed', 'timed_out']}
        projectId={projectId}
        none="No failures."
      />
    </>
  );
}

/** Reads the runs again when one begins or ends. */
function useLiveRuns(): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents(({ type }) => {
    if (!type.startsWith('workflow.')) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey: ['executions'] });
    }, SETTLE_MS);
  });
}
