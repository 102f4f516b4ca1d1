import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { schedulesQuery, type ScheduleView, useMay } from '../../api/index.ts';
import { number } from '../../format/index.ts';
import { useProject } from '../../shell/project.ts';
import { useWorkflowNames, type WorkflowNames } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/schedules.ts';
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
/** Refetch interval in milliseconds. The page polls, because a schedule fires without an action of the user. */
const REFRESH_MS = 10_000;

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'q', label: texts.searchByNameOrId },
  {
    kind: 'choice',
    name: 'status',
    label: texts.status,
    options: SCHEDULE_STATUSES.map((value) => ({ value, label: STATUSES[value].word })),
  },
];

function columnsOf(names: WorkflowNames['names']): readonly Column<ScheduleView>[] {
  return [
    {
      id: 'name',
      header: texts.name,
      cell: (schedule) => (
        <>
          <NameText name={schedule.name} />
          <span className="block text-small font-normal text-text-2 md:hidden">{timingText(schedule)}</span>
        </>
      ),
    },
    { id: 'status', header: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
    { id: 'timing', header: texts.when, wideOnly: true, cell: (schedule) => timingText(schedule) },
    {
      id: 'workflow',
      header: texts.workflow,
      wideOnly: true,
      cell: ({ workflow_id }) => <NameText name={names.get(workflow_id) ?? shortId(workflow_id)} />,
    },
    {
      id: 'last',
      header: texts.lastExecution,
      wideOnly: true,
      cell: ({ last_fire }) =>
        last_fire === null ? (
          <span className="text-text-3">{texts.never}</span>
        ) : (
          <StatusBadge status={last_fire.outcome} />
        ),
    },
    {
      id: 'fired',
      header: texts.started,
      align: 'right',
      wideOnly: true,
      cell: ({ fired_total }) => <span className="num">{number(fired_total)}</span>,
    },
    {
      id: 'next',
      header: texts.nextExecution,
      align: 'right',
      cell: ({ next_at }) => <Time value={next_at} absent="–" />,
    },
  ];
}

export function SchedulesPage() {
  const { projectId } = useProject();
  const search = useListSearch('q', 'status');
  const [creating, setCreating] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...schedulesQuery({
      ...search.page,
      project_id: projectId,
      q: search.filters['q'],
      status: SCHEDULE_STATUSES.find((each) => each === search.filters['status']),
    }),
    refetchInterval: REFRESH_MS,
  });
  const { names, isPending } = useWorkflowNames(projectId, query.data?.data);
  const createButton = useMay()('schedules:write') && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      {texts.createSchedule}
    </Button>
  );
  return (
    <>
      <ListPage
        title={texts.schedules}
        label={texts.schedules}
        noun={texts.scheduleNoun}
        actions={createButton}
        filters={FILTERS}
        search={search}
        query={query}
        areRowsPending={isPending}
        columns={columnsOf(names)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/schedules/$id', params: { id } })}
        empty={
          <EmptyState title={texts.noSchedulesYet} action={createButton} docs="schedules">
            {texts.purpose}
          </EmptyState>
        }
      />
      {creating && (
        <ScheduleDialog
          onClose={() => setCreating(false)}
          onDone={({ data: { id } }) => {
            void queryClient.invalidateQueries({ queryKey: ['schedules'] });
            void navigate({ to: '/schedules/$id', params: { id } });
          }}
        />
      )}
    </>
  );
}
