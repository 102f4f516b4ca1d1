import type { ExecutionView } from '../api/index.ts';
import type { Column } from './data-table.tsx';
import { shortId } from './id.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Duration, Time } from './time.tsx';

/** Columns shared by lists of executions. */
export const RUN_COLUMN = {
  id: { id: 'id', header: 'Run', cell: ({ id }) => <code className="mono">{shortId(id)}</code> },
  status: { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  progress: {
    id: 'nodes',
    header: 'Nodes done',
    align: 'right',
    wideOnly: true,
    cell: ({ progress: { completed, total } }) => <span className="num">{`${completed} of ${total}`}</span>,
  },
  started: {
    id: 'started',
    header: 'Started',
    align: 'right',
    wideOnly: true,
    cell: ({ started_at }) => <Time value={started_at} absent="not yet" />,
  },
  duration: {
    id: 'duration',
    header: 'Duration',
    align: 'right',
    wideOnly: true,
    cell: (run) => <Duration value={run.duration_ms} since={run.started_at} />,
  },
  created: {
    id: 'created',
    header: 'Created',
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
} as const satisfies Readonly<Record<string, Column<ExecutionView>>>;

/** @param names workflow names by id; an unknown workflow is shown by its id */
export function workflowColumn(names: ReadonlyMap<string, string>): Column<ExecutionView> {
  return {
    id: 'workflow',
    header: 'Workflow',
    cell: ({ workflow_id }) => (
      <span className="block max-w-72 truncate max-md:max-w-32" title={names.get(workflow_id)}>
        {names.get(workflow_id) ?? <code className="mono">{shortId(workflow_id)}</code>}
      </span>
    ),
  };
}
