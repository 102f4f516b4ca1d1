import type { ReactNode } from 'react';
import type { ExecutionView } from '../api/index.ts';
import { texts } from '../texts/en/ui.ts';
import type { Column } from './data-table.tsx';
import { shortId } from './id.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Duration, Time } from './time.tsx';

export const RUN_COLUMN = {
  id: { id: 'id', header: texts.execution, cell: ({ id }) => <code className="mono">{shortId(id)}</code> },
  status: {
    id: 'status',
    header: texts.status,
    cell: ({ status, created_at, started_at, duration_ms }) => (
      <>
        <StatusBadge status={status} />
        {/* Narrow screens show the start time and duration inside the status column, because they have no columns for
            these values. */}
        <div className="flex max-w-[124px] flex-wrap gap-x-2 pb-1.5 text-small text-text-2 md:hidden">
          <Time value={started_at ?? created_at} />
          <Duration value={duration_ms} since={started_at} />
        </div>
      </>
    ),
  },
  progress: {
    id: 'nodes',
    header: texts.nodesDone,
    align: 'right',
    wideOnly: true,
    cell: ({ progress: { completed, total } }) => (
      <span className="num">{texts.nodesProgress(completed, total)}</span>
    ),
  },
  started: {
    id: 'started',
    header: texts.started,
    align: 'right',
    wideOnly: true,
    cell: ({ started_at }) => <Time value={started_at} absent={texts.notYet} />,
  },
  duration: {
    id: 'duration',
    header: texts.duration,
    align: 'right',
    wideOnly: true,
    cell: (run) => <Duration value={run.duration_ms} since={run.started_at} />,
  },
  created: {
    id: 'created',
    header: texts.created,
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
} as const satisfies Readonly<Record<string, Column<ExecutionView>>>;

/**
 * @param names workflow names by id; other workflows are shown by id
 * @returns a column for the id and one for the workflow, which narrow screens show below the id
 */
export function namedRunColumns(
  names: ReadonlyMap<string, string>,
): readonly [id: Column<ExecutionView>, workflow: Column<ExecutionView>] {
  const nameOf = ({ workflow_id }: ExecutionView): ReactNode =>
    names.get(workflow_id) ?? <code className="mono">{shortId(workflow_id)}</code>;
  return [
    {
      ...RUN_COLUMN.id,
      cell: (run) => (
        <>
          {RUN_COLUMN.id.cell(run)}
          <span className="block truncate text-small font-normal text-text-2 md:hidden">{nameOf(run)}</span>
        </>
      ),
    },
    {
      id: 'workflow',
      header: texts.workflow,
      wideOnly: true,
      cell: (run) => (
        <span className="block max-w-72 truncate" title={names.get(run.workflow_id)}>
          {nameOf(run)}
        </span>
      ),
    },
  ];
}
