import { useQuery } from '@tanstack/react-query';
import { failuresQuery, type FailuresView } from '../../api/index.ts';
import { useProject } from '../../shell/project.ts';
import { useWorkflowNames, type WorkflowNames } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/failures.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  LoadFailed,
  PageHeader,
  Select,
  shortId,
  SkeletonRows,
  Time,
  useUrlSearch,
} from '../../ui/index.ts';

type Group = FailuresView['groups'][number];
type Window = FailuresView['window'];

/** Page with the failed and timed-out executions, grouped by cause. */
export function FailuresPage() {
  const { projectId } = useProject();
  const [search, change] = useUrlSearch();
  const window = windowOf(search['window']);
  const { data, error, isPending, refetch } = useQuery(failuresQuery({ window, project_id: projectId }));
  const { names, isPending: areNamesPending } = useWorkflowNames(projectId, data?.groups);
  return (
    <>
      <PageHeader
        title={texts.title}
        actions={
          <label className="flex items-center gap-2">
            <span className="whitespace-nowrap text-text-2">{texts.window}</span>
            <Select value={window} onChange={(event) => change({ window: event.target.value })}>
              {Object.entries(texts.windows).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </label>
        }
      />
      {isPending || (data !== undefined && areNamesPending) ? (
        <SkeletonRows />
      ) : data === undefined ? (
        <LoadFailed error={error} title={texts.couldNotLoad} onRetry={refetch} />
      ) : data.groups.length === 0 ? (
        <EmptyState title={texts.noFailures} docs="control">
          {texts.nothingFailed}
        </EmptyState>
      ) : (
        <>
          <DataTable
            label={texts.failuresByCause}
            rows={data.groups}
            columns={columnsOf(names)}
            rowKey={(group) =>
              JSON.stringify([group.workflow_id, group.node_id, group.error_type, group.shape])
            }
            rowLink={({ last_execution_id: id }) => ({ to: '/executions/$id', params: { id } })}
          />
          <p className="px-5 py-2 text-text-2">
            {texts.summary(data.examined, data.groups_total)}
            {data.truncated && ` ${texts.newestOnly}`}
          </p>
        </>
      )}
    </>
  );
}

function columnsOf(names: WorkflowNames['names']): readonly Column<Group>[] {
  return [
    {
      id: 'error',
      header: texts.error,
      cell: ({ error_type, shape, message }) => (
        <span className="wrap-anywhere" title={shape}>
          <span className="mono">{error_type}</span>
          {message !== '' && `: ${message}`}
        </span>
      ),
    },
    {
      id: 'workflow',
      header: texts.workflow,
      wideOnly: true,
      cell: ({ workflow_id }) => names.get(workflow_id) ?? shortId(workflow_id),
    },
    { id: 'node', header: texts.node, wideOnly: true, cell: ({ node_id }) => node_id ?? texts.noNode },
    { id: 'count', header: texts.count, align: 'right', cell: ({ count: times }) => times },
    {
      id: 'first',
      header: texts.firstSeen,
      wideOnly: true,
      cell: ({ first_seen }) => <Time value={first_seen} />,
    },
    { id: 'last', header: texts.lastSeen, cell: ({ last_seen }) => <Time value={last_seen} /> },
  ];
}

function windowOf(text: string | undefined): Window {
  return text !== undefined && Object.hasOwn(texts.windows, text) ? (text as Window) : '24h';
}
