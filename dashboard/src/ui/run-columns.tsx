import type { ExecutionView } from '../api/index.ts';
import type { Column } from './data-table.tsx';
import { shortId } from './id.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Duration, Time } from './time.tsx';

/** The columns of a short list of runs. @param own what that list tells besides */
export function runColumns(own: Column<ExecutionView>): readonly Column<ExecutionView>[] {
  return [
    { id: 'id', header: 'Run', cell: ({ id }) => <code className="mono">{shortId(id)}</code> },
    { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    own,
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
}
