import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  answer,
  backfillsQuery,
  deleteSchedule,
  type FireView,
  firesQuery,
  pauseSchedule,
  resumeSchedule,
  scheduleQuery,
  type ScheduleView,
  type Tagged,
  taggedAnswer,
  triggerSchedule,
  upcomingQuery,
  useMay,
} from '../../api/index.ts';
import { absoluteTime, number } from '../../format/index.ts';
import { useWorkflowName } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/schedules.ts';
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
  PendingPage,
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

const CRUMBS = [{ label: texts.schedules, to: '/schedules' }] as const;
/** Refetch interval in milliseconds. The page polls, because a schedule fires without an action of the user. */
const REFRESH_MS = 3_000;
const BACKFILL_REFRESH_MS = 1_500;
const SHOWN_INSTANTS = 20;

export function SchedulePage() {
  const { id } = useParams({ from: '/inside/schedules/$id' });
  return <SchedulePane key={id} id={id} />;
}

function SchedulePane({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({ ...scheduleQuery(id), refetchInterval: REFRESH_MS });
  const workflow = useWorkflowName(data?.schedule.workflow_id);
  const backfills = useQuery({ ...backfillsQuery(id), refetchInterval: BACKFILL_REFRESH_MS });
  const [search, change] = useUrlSearch();
  const mayWrite = useMay()('schedules:write');
  if (data === undefined || workflow.isPending || backfills.isLoading)
    return (
      <PendingPage
        title={texts.scheduleTitle(shortId(id))}
        crumbs={CRUMBS}
        error={error}
        couldNotLoad={texts.couldNotLoadSchedule}
        onRetry={refetch}
      />
    );
  return (
    <>
      <PageHeader
        title={data.schedule.name}
        crumbs={CRUMBS}
        beside={<StatusBadge status={data.schedule.status} />}
        actions={mayWrite && <Actions {...data} />}
      />
      {error !== null && <LoadFailed error={error} title={texts.couldNotLoadSchedule} onRetry={refetch} />}
      <Facts schedule={data.schedule} workflowName={workflow.name} />
      <BackfillProgress backfills={backfills.data?.data ?? []} />
      <Tabs
        label={texts.schedule}
        selected={search['tab'] ?? 'runs'}
        onSelect={(tab) => change({ tab: tab === 'runs' ? undefined : tab })}
        tabs={[
          { id: 'runs', label: texts.pastExecutions, content: <Fires id={id} /> },
          { id: 'upcoming', label: texts.upcoming, content: <Upcoming schedule={data.schedule} /> },
          { id: 'month', label: texts.month, content: <MonthView schedule={data.schedule} /> },
          {
            id: 'input',
            label: texts.input,
            content: (
              <div className="max-w-3xl p-5">
                <JsonTree label={texts.inputData} value={data.schedule.input} />
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

interface FactsProps {
  readonly schedule: ScheduleView;
  readonly workflowName: string | undefined;
}

function Facts({ schedule, workflowName }: FactsProps) {
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-2 border-b border-border px-5 py-3">
      <Fact name={texts.when}>{timingText(schedule)}</Fact>
      {schedule.cron !== null && (
        <Fact name={texts.cronExpression}>
          <code className="mono">{schedule.cron}</code>
        </Fact>
      )}
      <Fact name={texts.nextExecution}>
        <Time value={schedule.next_at} absent="–" />
      </Fact>
      <Fact name={texts.workflow}>
        <Link
          to="/workflows/$id"
          params={{ id: schedule.workflow_id }}
          className="text-accent hover:underline"
        >
          {workflowName ?? shortId(schedule.workflow_id)}
        </Link>
      </Fact>
      <Fact name={texts.started}>{number(schedule.fired_total)}</Fact>
      <Fact name={texts.skipped}>{number(schedule.skipped_total)}</Fact>
      <Fact name={texts.id}>
        <Id value={schedule.id} of={texts.theSchedule} />
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
  const isPaused = schedule.status === 'paused';
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['schedules'] });
  /** Shows the schedule of a response immediately, so that the next change sends the new ETag. */
  const show = ({ data, etag: newTag }: Tagged<ScheduleView>): void => {
    queryClient.setQueryData(scheduleQuery(schedule.id).queryKey, { schedule: data, etag: newTag });
  };
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
        onClick={() => act(texts.executionStarted, () => answer(triggerSchedule({ path })))}
      >
        {texts.runNow}
      </Button>
      {schedule.status !== 'ended' && (
        // Pause and resume share one button element, so that the button keeps the focus after a click.
        <Button
          needsService
          kind={isPaused ? 'primary' : 'secondary'}
          onClick={() =>
            isPaused
              ? act(texts.scheduleResumed, async () => show(await taggedAnswer(resumeSchedule({ path }))))
              : act(texts.schedulePaused, async () => show(await taggedAnswer(pauseSchedule({ path }))))
          }
        >
          {isPaused ? texts.resume : texts.pause}
        </Button>
      )}
      {schedule.at === null && (
        <Button needsService onClick={() => setAsked('backfill')}>
          {texts.backfill}
        </Button>
      )}
      <Button needsService onClick={() => setAsked('edit')}>
        {texts.edit}
      </Button>
      <Button needsService kind="danger" onClick={() => setAsked('delete')}>
        {texts.delete}
      </Button>
      {asked === 'edit' && (
        <ScheduleDialog
          changed={{ schedule, etag }}
          onClose={() => setAsked(null)}
          onDone={(saved) => {
            setAsked(null);
            show(saved);
            toast(texts.scheduleSaved);
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
        title={texts.deleteQuestion(schedule.name)}
        description={texts.deleteHint}
        action={texts.deleteSchedule}
        onConfirm={async () => {
          await answer(deleteSchedule({ path, headers: { 'If-Match': etag } }));
          await navigate({ to: '/schedules' });
          queryClient.removeQueries({ queryKey: scheduleQuery(schedule.id).queryKey });
          void queryClient.invalidateQueries({ queryKey: ['schedules', 'list'] });
          toast(texts.scheduleDeleted);
        }}
      />
    </>
  );
}

const FIRE_COLUMNS: readonly Column<FireView>[] = [
  { id: 'for', header: texts.scheduledFor, cell: ({ scheduled_for }) => absoluteTime(scheduled_for) },
  { id: 'outcome', header: texts.outcome, cell: ({ outcome }) => <StatusBadge status={outcome} /> },
  {
    id: 'reason',
    header: texts.reason,
    wideOnly: true,
    cell: ({ reason }) => reason ?? <span className="text-text-3">–</span>,
  },
  {
    id: 'run',
    header: texts.execution,
    cell: ({ execution_id }) =>
      execution_id === null ? (
        <span className="text-text-3">–</span>
      ) : (
        <Link to="/executions/$id" params={{ id: execution_id }} className="mono text-accent hover:underline">
          {shortId(execution_id)}
        </Link>
      ),
  },
  {
    id: 'fired',
    header: texts.fired,
    align: 'right',
    wideOnly: true,
    cell: ({ fired_at }) => <Time value={fired_at} />,
  },
];

function Fires({ id }: { readonly id: string }) {
  const search = useListSearch();
  const query = useQuery({ ...firesQuery(id, search.page), refetchInterval: REFRESH_MS });
  return (
    <List
      label={texts.pastExecutions}
      noun={texts.executionNoun}
      query={query}
      search={search}
      columns={FIRE_COLUMNS}
      rowKey={({ scheduled_for, fired_at }) => `${scheduled_for} ${fired_at}`}
      empty={
        <EmptyState title={texts.notFiredYet} docs="schedules">
          {texts.pastPurpose}
        </EmptyState>
      }
    />
  );
}

function Upcoming({ schedule }: { readonly schedule: ScheduleView }) {
  const { data, error, refetch } = useQuery(upcomingQuery(schedule.id, SHOWN_INSTANTS));
  if (error !== null) return <LoadFailed error={error} title={texts.couldNotLoadNext} onRetry={refetch} />;
  if (data === undefined) return <SkeletonRows />;
  if (data.data.length === 0)
    return <EmptyState title={texts.noMoreExecutions}>{texts.noFutureTimes}</EmptyState>;
  return (
    <div className="flex flex-col gap-2 p-5">
      {schedule.status === 'paused' && <p className="text-text-2">{texts.pausedHint}</p>}
      <ol aria-label={texts.upcomingExecutions} className="flex flex-col gap-1">
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
