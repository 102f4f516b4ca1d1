import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { answer, closeSession, sessionExecutionsQuery, sessionQuery, useMay } from '../../api/index.ts';
import { number } from '../../format/index.ts';
import { SessionRunDialog } from '../../shell/run-dialog.tsx';
import { texts } from '../../texts/en/session.ts';
import {
  Button,
  ConfirmDialog,
  DataTable,
  EmptyState,
  ErrorNote,
  EventTable,
  Id,
  JsonTree,
  LoadFailed,
  PageHeader,
  PendingPage,
  RUN_COLUMN,
  shortId,
  SkeletonRows,
  StatusBadge,
  Tabs,
  Time,
  useToast,
  useUrlSearch,
} from '../../ui/index.ts';
import { useSessionEvents } from './use-session-events.ts';

const CRUMBS = [{ label: texts.sessions, to: '/sessions' }] as const;

export function SessionPage() {
  const { id } = useParams({ from: '/inside/sessions/$id' });
  return <Session key={id} id={id} />;
}

function Session({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(sessionQuery(id));
  const queryClient = useQueryClient();
  const [search, change] = useUrlSearch();
  const [closing, setClosing] = useState(false);
  const toast = useToast();
  const [running, setRunning] = useState(false);
  const may = useMay();
  const stream = useSessionEvents(id, () => {
    void queryClient.invalidateQueries({ queryKey: sessionQuery(id).queryKey });
    void queryClient.invalidateQueries({ queryKey: sessionExecutionsQuery(id).queryKey });
  });
  if (data === undefined)
    return (
      <PendingPage
        title={texts.sessionTitle(shortId(id))}
        crumbs={CRUMBS}
        error={error}
        couldNotLoad={texts.couldNotLoadSession}
        onRetry={refetch}
      />
    );
  const isActive = data.status === 'active';
  const title = data.name === '' ? texts.sessionTitle(shortId(id)) : data.name;
  return (
    <>
      <PageHeader
        title={title}
        crumbs={CRUMBS}
        beside={<StatusBadge status={data.status} />}
        actions={
          <>
            {isActive && may('sessions:write') && (
              <Button kind="danger" onClick={() => setClosing(true)}>
                {texts.closeSession}
              </Button>
            )}
            {isActive && may('executions:write') && (
              <Button kind="primary" icon={<Play size={14} aria-hidden />} onClick={() => setRunning(true)}>
                {texts.runInSession}
              </Button>
            )}
          </>
        }
      />
      {error !== null && <LoadFailed error={error} title={texts.couldNotLoadSession} onRetry={refetch} />}
      <dl className="flex flex-wrap gap-x-7 gap-y-2 border-b border-border px-5 py-3">
        <Fact name={texts.executions}>{number(data.execution_counts.total)}</Fact>
        <Fact name={texts.running}>{number(data.execution_counts.running)}</Fact>
        <Fact name={texts.failed}>{number(data.execution_counts.failed)}</Fact>
        <Fact name={texts.lastActivity}>
          <Time value={data.last_activity_at} />
        </Fact>
        <Fact name={texts.expires}>
          <Time value={data.expires_at} />
        </Fact>
        <Fact name={texts.executionOrder}>
          {data.concurrency === 'serial' ? texts.serial : texts.parallel}
        </Fact>
        {data.external_id !== null && (
          <Fact name={texts.externalId}>
            <Id value={data.external_id} of={texts.theExternalId} whole />
          </Fact>
        )}
        <Fact name={texts.id}>
          <Id value={id} of={texts.theSession} />
        </Fact>
      </dl>
      <Tabs
        label={texts.session}
        selected={search['tab'] ?? 'events'}
        onSelect={(tab) => change({ tab: tab === 'events' ? undefined : tab })}
        tabs={[
          { id: 'events', label: texts.events, content: <Stream {...stream} /> },
          { id: 'runs', label: texts.executions, content: <Runs id={id} /> },
          {
            id: 'state',
            label: texts.state,
            content: (
              <div className="flex max-w-3xl flex-col gap-3 p-5">
                <p className="text-text-2">
                  {texts.stateVersion(
                    <span className="num">{data.state_version}</span>,
                    <code className="mono">session.state</code>,
                  )}
                </p>
                <JsonTree label={texts.stateData} value={data.state} />
                <h2 className="font-medium">{texts.metadata}</h2>
                <JsonTree label={texts.metadataData} value={data.metadata} />
              </div>
            ),
          },
        ]}
      />
      {running && <SessionRunDialog sessionId={id} onClose={() => setRunning(false)} />}
      <ConfirmDialog
        open={closing}
        onClose={() => setClosing(false)}
        title={texts.closeQuestion(title)}
        description={texts.closeHint}
        action={texts.closeSession}
        onConfirm={async () => {
          await answer(closeSession({ path: { id } }));
          toast(texts.sessionClosed);
          await queryClient.invalidateQueries({ queryKey: ['sessions'] });
        }}
      />
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="label">{name}</dt>
      <dd className="num font-medium">{children}</dd>
    </div>
  );
}

function Stream({ events, error, isPending }: ReturnType<typeof useSessionEvents>) {
  return (
    <>
      {error !== null && (
        <div className="p-5">
          <ErrorNote error={error} title={texts.couldNotLoadPast} />
        </div>
      )}
      {isPending && <SkeletonRows />}
      {!isPending && events.length === 0 && (
        <EmptyState title={texts.noEventsYet} docs="events">
          {texts.eventsPurpose}
        </EmptyState>
      )}
      {events.length > 0 && <EventTable events={events} />}
    </>
  );
}

const RUN_COLUMNS = [
  RUN_COLUMN.id,
  RUN_COLUMN.status,
  RUN_COLUMN.progress,
  RUN_COLUMN.duration,
  RUN_COLUMN.created,
];

function Runs({ id }: { readonly id: string }) {
  const { data, error } = useQuery(sessionExecutionsQuery(id));
  if (error !== null)
    return (
      <div className="p-5">
        <ErrorNote error={error} title={texts.couldNotLoadExecutions} />
      </div>
    );
  if (data === undefined) return <SkeletonRows />;
  if (data.data.length === 0)
    return (
      <EmptyState title={texts.noExecutionsYet} docs="concepts">
        {texts.executionsPurpose}
      </EmptyState>
    );
  return (
    <DataTable
      label={texts.executions}
      rows={data.data}
      columns={RUN_COLUMNS}
      rowKey={(run) => run.id}
      rowLink={(run) => ({ to: '/executions/$id', params: { id: run.id } })}
    />
  );
}
