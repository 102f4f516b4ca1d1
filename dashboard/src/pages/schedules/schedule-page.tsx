import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  answer,
  deleteSchedule,
  type FireView,
  firesQuery,
  pauseSchedule,
  resumeSchedule,
  scheduleQuery,
  type ScheduleView,
  triggerSchedule,
  upcomingQuery,
  useMay,
  workflowQuery,
} from '../../api/index.ts';
import { absoluteTime, number } from '../../format/index.ts';
import {
  Button,
  type Column,
  ConfirmDialog,
  EmptyState,
  Fact,
  Id,
  JsonTree,
  List,
  LoadFailed,
  messageOf,
  PageHeader,
  shortId,
  SkeletonRows,
  StatusBadge,
  Tabs,
  Time,
  useListSearch,
  useSubmit,
  useToast,
  useUrlSearch,
} from '../../ui/index.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { timingText } from './timing-text.ts';
import { BackfillDialog } from './backfill-dialog.tsx';
import { BackfillProgress } from './backfill-progress.tsx';
import { MonthView } from './month-view.tsx';

const CRUMBS = [{ label: 'Schedules', to: '/schedules' }] as const;
/** Refetch interval, since schedules fire on their own. */
const REFRESH_MS = 3_000;
const SHOWN_INSTANTS = 20;

export function SchedulePage() {
  const { id } = useParams({ from: '/inside/schedules/$id' });
  return <SchedulePane key={id} id={id} />;
}

function SchedulePane({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({ ...scheduleQuery(id), refetchInterval: REFRESH_MS });
  const [search, change] = useUrlSearch();
  const mayWrite = useMay()('schedules:write');
  return (
    <>
      <PageHeader
        title={data?.schedule.name ?? `Schedule ${shortId(id)}`}
        crumbs={CRUMBS}
        beside={data !== undefined && <StatusBadge status={data.schedule.status} />}
        actions={mayWrite && data !== undefined && <Actions {...data} />}
      />
      {error !== null && <LoadFailed error={error} title="Could not load the schedule." onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonRows />}
      {data !== undefined && (
        <>
          <Facts schedule={data.schedule} />
          <BackfillProgress id={id} />
          <Tabs
            label="Schedule"
            selected={search['tab'] ?? 'runs'}
            onSelect={(tab) => change({ tab: tab === 'runs' ? undefined : tab })}
            tabs={[
              { id: 'runs', label: 'Past runs', content: <Fires id={id} /> },
              { id: 'upcoming', label: 'Upcoming', content: <Upcoming schedule={data.schedule} /> },
              { id: 'month', label: 'Month', content: <MonthView schedule={data.schedule} /> },
              {
                id: 'input',
                label: 'Input',
                content: (
                  <div className="max-w-3xl p-5">
                    <JsonTree label="input" value={data.schedule.input} />
                  </div>
                ),
              },
            ]}
          />
        </>
      )}
    </>
  );
}

function Facts({ schedule }: { readonly schedule: ScheduleView }) {
  const workflow = useQuery(workflowQuery(schedule.workflow_id));
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-2 border-b border-border px-5 py-3">
      <Fact name="When">{timingText(schedule)}</Fact>
      {schedule.cron !== null && (
        <Fact name="Cron expression">
          <code className="mono">{schedule.cron}</code>
        </Fact>
      )}
      <Fact name="Next run">
        <Time value={schedule.next_at} absent="–" />
      </Fact>
      <Fact name="Workflow">
        <Link
          to="/workflows/$id"
          params={{ id: schedule.workflow_id }}
          className="text-accent hover:underline"
        >
          {workflow.data?.name ?? shortId(schedule.workflow_id)}
        </Link>
      </Fact>
      <Fact name="Started">{number(schedule.fired_total)}</Fact>
      <Fact name="Skipped">{number(schedule.skipped_total)}</Fact>
      <Fact name="Id">
        <Id value={schedule.id} of="the schedule" />
      </Fact>
    </dl>
  );
}

type Asked = 'edit' | 'backfill' | 'delete' | null;

function Actions({ schedule, etag }: { readonly schedule: ScheduleView; readonly etag: string }) {
  const [asked, setAsked] = useState<Asked>(null);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const submission = useSubmit();
  const path = { id: schedule.id };
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['schedules'] });
  const act = (done: string, send: () => Promise<unknown>): void => {
    void submission
      .send(async () => {
        await send();
        toast(done);
      })
      .then(refresh);
  };
  return (
    <>
      {submission.note !== null && (
        <span role="alert" className="text-small text-failed">
          {messageOf(submission.note)}
        </span>
      )}
      <Button
        needsService
        busy={submission.busy}
        onClick={() => act('A run is started', () => answer(triggerSchedule({ path })))}
      >
        Run now
      </Button>
      {schedule.status === 'active' && (
        <Button needsService onClick={() => act('Schedule paused', () => answer(pauseSchedule({ path })))}>
          Pause
        </Button>
      )}
      {schedule.status === 'paused' && (
        <Button
          needsService
          kind="primary"
          onClick={() => act('Schedule resumed', () => answer(resumeSchedule({ path })))}
        >
          Resume
        </Button>
      )}
      {schedule.at === null && (
        <Button needsService onClick={() => setAsked('backfill')}>
          Backfill
        </Button>
      )}
      <Button needsService onClick={() => setAsked('edit')}>
        Edit
      </Button>
      <Button needsService kind="danger" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'edit' && (
        <ScheduleDialog
          changed={{ schedule, etag }}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            toast('Schedule saved');
            void refresh();
          }}
        />
      )}
      {asked === 'backfill' && (
        <BackfillDialog
          schedule={schedule}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            void refresh();
          }}
        />
      )}
      <ConfirmDialog
        open={asked === 'delete'}
        onClose={() => setAsked(null)}
        title={`Delete “${schedule.name}”?`}
        description="It starts no more runs. Those that it started stay."
        action="Delete schedule"
        onConfirm={async () => {
          await answer(deleteSchedule({ path, headers: { 'If-Match': etag } }));
          await navigate({ to: '/schedules' });
          queryClient.removeQueries({ queryKey: scheduleQuery(schedule.id).queryKey });
          void queryClient.invalidateQueries({ queryKey: ['schedules', 'list'] });
          toast('Schedule deleted');
        }}
      />
    </>
  );
}

const FIRE_COLUMNS: readonly Column<FireView>[] = [
  { id: 'for', header: 'Scheduled for', cell: ({ scheduled_for }) => absoluteTime(scheduled_for) },
  { id: 'outcome', header: 'Outcome', cell: ({ outcome }) => <StatusBadge status={outcome} /> },
  {
    id: 'reason',
    header: 'Reason',
    wideOnly: true,
    cell: ({ reason }) => reason ?? <span className="text-text-3">–</span>,
  },
  {
    id: 'run',
    header: 'Run',
    cell: ({ execution_id }) =>
      execution_id === null ? (
        <span className="text-text-3">–</span>
      ) : (
        <Link to="/executions/$id" params={{ id: execution_id }} className="mono text-accent hover:underline">
          {shortId(execution_id)}
        </Link>
      ),
  },
  { id: 'fired', header: 'Fired', align: 'right', cell: ({ fired_at }) => <Time value={fired_at} /> },
];

function Fires({ id }: { readonly id: string }) {
  const search = useListSearch();
  const query = useQuery({ ...firesQuery(id, search.page), refetchInterval: REFRESH_MS });
  return (
    <List
      label="Past runs"
      noun={['run', 'runs']}
      query={query}
      search={search}
      columns={FIRE_COLUMNS}
      rowKey={({ scheduled_for, fired_at }) => `${scheduled_for} ${fired_at}`}
      empty={
        <EmptyState title="It has not fired yet">
          Each time of the schedule is listed here with its run.
        </EmptyState>
      }
    />
  );
}

function Upcoming({ schedule }: { readonly schedule: ScheduleView }) {
  const { data, error, refetch } = useQuery(upcomingQuery(schedule.id, SHOWN_INSTANTS));
  if (error !== null)
    return <LoadFailed error={error} title="Could not load the next runs." onRetry={refetch} />;
  if (data === undefined) return <SkeletonRows />;
  if (data.data.length === 0)
    return <EmptyState title="No more runs">The schedule has no time in the future.</EmptyState>;
  return (
    <div className="flex flex-col gap-2 p-5">
      {schedule.status === 'paused' && (
        <p className="text-text-2">The schedule is paused: these runs start only once it is resumed.</p>
      )}
      <ol aria-label="Upcoming runs" className="flex flex-col gap-1">
        {data.data.map((instant) => (
          <li key={instant} className="num flex gap-3">
            <span>{absoluteTime(instant)}</span>
            <span className="text-text-3">
              <Time value={instant} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
