import { useQuery } from '@tanstack/react-query';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { useProject } from '../../shell/project.ts';
import { useWorkflowNames } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/overview.ts';
import { type Column, PageHeader, RUN_COLUMN, SkeletonRows } from '../../ui/index.ts';
import { Figures } from './figures.tsx';
import { GettingStarted } from './getting-started.tsx';
import { RunSection, sectionQuery } from './run-section.tsx';
import { useFirstSteps } from './use-first-steps.ts';

const EXECUTIONS = ['executions'];

const FAILURE_COLUMNS: readonly Column<ExecutionView>[] = [
  {
    id: 'why',
    header: texts.error,
    wideOnly: true,
    cell: ({ error, status_reason }) => (
      <span title={error?.message} className="line-clamp-1 text-text-2 wrap-anywhere">
        {error?.message ?? status_reason}
      </span>
    ),
  },
  { ...RUN_COLUMN.created, wideOnly: false, width: 'md:w-32' },
];

const RUNNING_COLUMNS: readonly Column<ExecutionView>[] = [
  RUN_COLUMN.progress,
  { ...RUN_COLUMN.duration, wideOnly: false, width: 'md:w-32' },
];

export function OverviewPage() {
  const { projectId } = useProject();
  const any = useQuery(executionsQuery({ limit: 1, offset: 0, project_id: projectId }));
  const running = useQuery(sectionQuery(['running'], projectId));
  const failures = useQuery(sectionQuery(['failed', 'timed_out'], projectId));
  const steps = useFirstSteps();
  const rows =
    running.isPending || failures.isPending
      ? undefined
      : [...(running.data?.data ?? []), ...(failures.data?.data ?? [])];
  const workflows = useWorkflowNames(projectId, rows);
  useLiveRefresh(EXECUTIONS);
  const isPending = [any, running, failures, steps, workflows].some((each) => each.isPending);
  return (
    <>
      <PageHeader title={texts.overview} />
      <Figures projectId={projectId} />
      {isPending ? (
        <SkeletonRows />
      ) : (
        <>
          <GettingStarted steps={steps} />
          {/* The section of running executions is the last one, so that no other section moves when an execution starts
              or ends. */}
          <div className="grid max-w-[1600px] xl:grid-cols-2">
            <RunSection
              title={texts.recentFailures}
              query={failures}
              names={workflows.names}
              columns={FAILURE_COLUMNS}
              none={texts.noFailures}
            />
            <RunSection
              title={texts.runningNow}
              query={running}
              names={workflows.names}
              columns={RUNNING_COLUMNS}
              none={any.data?.data.length === 0 ? texts.noExecutionsYet : texts.nothingRunning}
            />
          </div>
        </>
      )}
    </>
  );
}
