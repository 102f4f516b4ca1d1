import { useQuery } from '@tanstack/react-query';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { useProject } from '../../shell/project.ts';
import { texts } from '../../texts/en/overview.ts';
import { type Column, PageHeader, RUN_COLUMN, SkeletonRows } from '../../ui/index.ts';
import { Figures } from './figures.tsx';
import { GettingStarted } from './getting-started.tsx';
import { RunSection, sectionQuery } from './run-section.tsx';
import { useFirstSteps } from './use-first-steps.ts';

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
  const any = useQuery(executionsQuery({ limit: 1, offset: 0, project_id: projectId }));
  const running = useQuery(sectionQuery(['running'], projectId));
  const failures = useQuery(sectionQuery(['failed', 'timed_out'], projectId));
  const steps = useFirstSteps();
  useLiveRefresh(EXECUTIONS);
  const isPending = [any, running, failures, steps].some((each) => each.isPending);
  return (
    <>
      <PageHeader title={texts.overview} />
      <Figures projectId={projectId} />
      {isPending ? (
        <SkeletonRows />
      ) : (
        <>
          <GettingStarted steps={steps} />
          <RunSection
            title={texts.runningNow}
            query={running}
            projectId={projectId}
            own={RUN_COLUMN.progress}
            none={any.data?.data.length === 0 ? texts.noExecutionsYet : texts.nothingRunning}
            hasFixedHeight={any.data?.data.length !== 0}
          />
          <RunSection
            title={texts.recentFailures}
            query={failures}
            projectId={projectId}
            own={WHY}
            none={texts.noFailures}
          />
        </>
      )}
    </>
  );
}
