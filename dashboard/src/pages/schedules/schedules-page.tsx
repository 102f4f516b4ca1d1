import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { schedulesQuery, type ScheduleView, useMay } from '../../api/index.ts';
import { number } from '../../format/index.ts';
import { useProject } from '../../shell/project.ts';
import { useWorkflowNames } from '../../shell/workflow-names.ts';
import {
  Button,
  type Column,
  EmptyState,
  type Filter,
  ListPage,
  NameText,
  shortId,
  StatusBadge,
  STATUSES,
  Time,
  useListSearch,
} from '../../ui/index.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { timingText } from './timing-text.ts';

const SCHEDULE_STATUSES: readonly ScheduleView['status'][] = ['active', 'paused', 'ended'];
/** Refetch interval while the list is visible, since schedules fire on their own. */
const REFRESH_MS = 10_000;

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    options: SCHEDULE_STATUSES.map((value) => ({ value, label: STATUSES[value].word })),
  },
];

function columnsOf(workflowNames: ReadonlyMap<string, string>): readonly Column<ScheduleView>[] {
  return [
    { id: 'name', header: 'Name', cell: ({ name }) => <NameText name={name} /> },
    { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { id: 'timing', header: 'When', cell: (schedule) => timingText(schedule) },
    {
      id: 'workflow',
      header: 'Workflow',
      wideOnly: true,
      cell: ({ workflow_id }) => <NameText name={workflowNames.get(workflow_id) ?? shortId(workflow_id)} />,
    },
    {
      id: 'last',
      header: 'Last run',
      wideOnly: true,
      cell: ({ last_fire }) =>
        last_fire === null ? (
          <span className="text-text-3">never</span>
        ) : (
          <StatusBadge status={last_fire.outcome} />
        ),
    },
    {
      id: 'fired',
      header: 'Started',
      align: 'right',
      wideOnly: true,
      cell: ({ fired_total }) => <span className="num">{number(fired_total)}</span>,
    },
    {
      id: 'next',
      header: 'Next run',
      align: 'right',
      cell: ({ next_at }) => <Time value={next_at} absent="–" />,
    },
  ];
}

export function SchedulesPage() {
  const { projectId } = useProject();
  const search = useListSearch('status');
  const [creating, setCreating] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...schedulesQuery({
      ...search.page,
      project_id: projectId,
      status: SCHEDULE_STATUSES.find((each) => each === search.filters['status']),
    }),
    refetchInterval: REFRESH_MS,
  });
  const workflowNames = useWorkflowNames(projectId, query.data?.data);
  const createButton = useMay()('schedules:write') && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      Create schedule
    </Button>
  );
  return (
    <>
      <ListPage
        title="Schedules"
        label="Schedules"
        noun={['schedule', 'schedules']}
        actions={createButton}
        filters={FILTERS}
        search={search}
        query={query}
        columns={columnsOf(workflowNames)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/schedules/$id', params: { id } })}
        empty={
          <EmptyState title="No schedules yet" action={createButton}>
            A schedule starts a workflow at set times: every morning, every ten minutes, or once.
          </EmptyState>
        }
      />
      {creating && (
        <ScheduleDialog
          onClose={() => setCreating(false)}
          onDone={({ id }) => {
            void queryClient.invalidateQueries({ queryKey: ['schedules'] });
            void navigate({ to: '/schedules/$id', params: { id } });
          }}
        />
      )}
    </>
  );
}
