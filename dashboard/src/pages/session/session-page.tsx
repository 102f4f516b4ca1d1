import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, closeSession, sessionExecutionsQuery, sessionQuery, useMay } from '../../api/index.ts';
import { number } from '../../format/index.ts';
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

const CRUMBS = [{ label: 'Sessions', to: '/sessions' }] as const;

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
  const mayClose = useMay()('sessions:write');
  const stream = useSessionEvents(id, () => {
    void queryClient.invalidateQueries({ queryKey: sessionQuery(id).queryKey });
    void queryClient.invalidateQueries({ queryKey: sessionExecutionsQuery(id).queryKey });
  });
  const title = data === undefined || data.name === '' ? `Session ${shortId(id)}` : data.name;
  return (
    <>
      <PageHeader
        title={title}
        crumbs={CRUMBS}
        beside={data !== undefined && <StatusBadge status={data.status} />}
        actions={
          mayClose &&
          data?.status === 'active' && (
            <Button kind="danger" onClick={() => setClosing(true)}>
              Close session
            </Button>
          )
        }
      />
      {error !== null && <LoadFailed error={error} title="Could not load the session." onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonRows />}
      {data !== undefined && (
        <>
          <dl className="flex flex-wrap gap-x-7 gap-y-2 border-b border-border px-5 py-3">
            <Fact name="Runs">{number(data.execution_counts.total)}</Fact>
            <Fact name="Running">{number(data.execution_counts.running)}</Fact>
            <Fact name="Failed">{number(data.execution_counts.failed)}</Fact>
            <Fact name="Last activity">
              <Time value={data.last_activity_at} />
            </Fact>
            <Fact name="Expires">
              <Time value={data.expires_at} />
            </Fact>
            <Fact name="Order of runs">{data.concurrency === 'serial' ? 'One by one' : 'Parallel'}</Fact>
            {data.external_id !== null && (
              <Fact name="Your id">
                <Id value={data.external_id} of="your own" whole />
              </Fact>
            )}
            <Fact name="Id">
              <Id value={id} of="the session" />
            </Fact>
          </dl>
          <Tabs
            label="Session"
            selected={search['tab'] ?? 'events'}
            onSelect={(tab) => change({ tab: tab === 'events' ? undefined : tab })}
            tabs={[
              { id: 'events', label: 'Events', content: <Stream {...stream} /> },
              { id: 'runs', label: 'Runs', content: <Runs id={id} /> },
              {
                id: 'state',
                label: 'State',
                content: (
                  <div className="flex max-w-3xl flex-col gap-3 p-5">
                    <p className="text-text-2">
                      Version <span className="num">{data.state_version}</span>. Runs read it as{' '}
                      <code className="mono">session.state</code>.
                    </p>
                    <JsonTree label="state" value={data.state} />
                    <h2 className="font-medium">Metadata</h2>
                    <JsonTree label="metadata" value={data.metadata} />
                  </div>
                ),
              },
            ]}
          />
        </>
      )}
      <ConfirmDialog
        open={closing}
        onClose={() => setClosing(false)}
        title={`Close “${title}”?`}
        description="No more runs can be started in it. Those that run go on to their end."
        action="Close session"
        onConfirm={async () => {
          await answer(closeSession({ path: { id } }));
          toast('Session closed');
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
          <ErrorNote error={error} title="Could not load what happened before; what happens now is shown." />
        </div>
      )}
      {isPending && <SkeletonRows />}
      {!isPending && events.length === 0 && (
        <EmptyState title="Nothing has happened yet">
          The events of all runs of this session come here as one stream.
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
        <ErrorNote error={error} title="Could not load the runs." />
      </div>
    );
  if (data === undefined) return <SkeletonRows />;
  if (data.data.length === 0)
    return <EmptyState title="No runs yet">Start a workflow with the id of this session.</EmptyState>;
  return (
    <DataTable
      label="Runs"
      rows={data.data}
      columns={RUN_COLUMNS}
      rowKey={(run) => run.id}
      rowLink={(run) => ({ to: '/executions/$id', params: { id: run.id } })}
    />
  );
}
