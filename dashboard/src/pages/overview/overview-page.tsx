import { useQuery } from '@tanstack/react-query';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { useProject } from '../../shell/project.ts';
import { texts } from '../../texts/en/overview.ts';
import { type Column, PageHeader, RUN_COLUMN } from '../../ui/index.ts';
import { Figures } from './figures.tsx';
import { GettingStarted } from './getting-started.tsx';
import { RunSection } from './run-section.tsx';

const EXECUTIONS = ['executions'];

const WHY: Column<ExecutionView> = {
  id: 'why',
  header: texts.error,
  wideOnly: true,
  cell: ({ error, status_reason }) => (
    <span className="line-clamp-1 text-text-2">{error?.message ?? status_reason}</span>
  ),
};

export function OverviewPage() {
  const { projectId } = useProject();
  const any = useQuery(executionsQuery({ limit: 1, offset: 0, project_id: projectId })).data;
  useLiveRefresh(EXECUTIONS);
  return (
    <>
      <PageHeader title={texts.overview} />
      <Figures projectId={projectId} />
      <GettingStarted />
      <RunSection
        title={texts.runningNow}
        statuses={['running', 'waiting', 'queued', 'paused']}
        projectId={projectId}
        own={RUN_COLUMN.progress}
        none={any?.data.length === 0 ? texts.noExecutionsYet : texts.nothingRunning}
      />
      <RunSection
        title={texts.recentFailures}
        statuses={['failed', 'timed_out']}
        projectId={projectId}
        own={WHY}
        none={texts.noFailures}
      />
    </>
  );
}
