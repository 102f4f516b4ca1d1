import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import {
  Button,
  type Column,
  DataTable,
  Duration,
  ErrorNote,
  shortId,
  SkeletonRows,
  StatusBadge,
  Time,
} from '../../ui/index.ts';

const COLUMNS: readonly Column<ExecutionView>[] = [
  { id: 'id', header: 'Run', cell: ({ id }) => <code className="mono">{shortId(id)}</code> },
  { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'why',
    header: 'Why',
    wideOnly: true,
    cell: ({ error, status_reason }) => (
      <span className="line-clamp-1 text-text-2">{error?.message ?? status_reason}</span>
    ),
  },
  {
    id: 'duration',
    header: 'Duration',
    align: 'right',
    cell: (run) => <Duration value={run.duration_ms} since={run.started_at} />,
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];

interface RunSectionProps {
  readonly title: string;
  readonly statuses: readonly ExecutionView['status'][];
  readonly projectId: string | undefined;
  /** Said where there is none. */
  readonly none: string;
}

/** The newest runs of some states, each a click from its page. */
export function RunSection({ title, statuses, projectId, none }: RunSectionProps) {
  const id = useId();
  const { data, error, refetch } = useQuery(
    executionsQuery({ limit: 8, offset: 0, project_id: projectId, status: [...statuses] }),
  );
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="px-5 pt-5 pb-2 text-title font-semibold">
        {title}
      </h2>
      {error !== null && (
        <div className="px-5 pb-3">
          <ErrorNote error={error} title="Could not load the runs.">
            <Button onClick={() => void refetch()}>Try again</Button>
          </ErrorNote>
        </div>
      )}
      {data === undefined && error === null && <SkeletonRows rows={3} />}
      {data?.data.length === 0 && <p className="px-5 pb-2 text-text-2">{none}</p>}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={title}
          rows={data.data}
          columns={COLUMNS}
          rowKey={(run) => run.id}
          rowLink={(run) => ({ to: '/executions/$id', params: { id: run.id } })}
        />
      )}
    </section>
  );
}
