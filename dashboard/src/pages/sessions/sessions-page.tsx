import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { sessionsQuery, type SessionView, useMay } from '../../api/index.ts';
import { number } from '../../format/index.ts';
import { useProject } from '../../shell/project.ts';
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
import { CreateSessionDialog } from './create-session-dialog.tsx';

type SessionStatus = SessionView['status'];

const SESSION_STATUSES: readonly SessionStatus[] = ['active', 'closed', 'expired'];

const COLUMNS: readonly Column<SessionView>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, external_id, id }) => (
      <NameText name={name === '' ? (external_id ?? shortId(id)) : name} />
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'external',
    header: 'Your id',
    wideOnly: true,
    cell: ({ external_id }) =>
      external_id === null ? (
        <span className="text-text-3">–</span>
      ) : (
        <code className="mono">{external_id}</code>
      ),
  },
  {
    id: 'running',
    header: 'Running',
    align: 'right',
    wideOnly: true,
    cell: ({ execution_counts }) => <span className="num">{number(execution_counts.running)}</span>,
  },
  {
    id: 'failed',
    header: 'Failed',
    align: 'right',
    wideOnly: true,
    cell: ({ execution_counts }) => <span className="num">{number(execution_counts.failed)}</span>,
  },
  {
    id: 'runs',
    header: 'Runs',
    align: 'right',
    cell: ({ execution_counts }) => <span className="num">{number(execution_counts.total)}</span>,
  },
  {
    id: 'activity',
    header: 'Last activity',
    align: 'right',
    wideOnly: true,
    cell: ({ last_activity_at }) => <Time value={last_activity_at} />,
  },
];

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    options: SESSION_STATUSES.map((value) => ({ value, label: STATUSES[value].word })),
  },
  { kind: 'text', name: 'external', label: 'Your id' },
];

export function SessionsPage() {
  const { projectId, projects } = useProject();
  const search = useListSearch('status', 'external');
  const [creating, setCreating] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const query = useQuery(
    sessionsQuery({
      ...search.page,
      project_id: projectId,
      status: SESSION_STATUSES.find((each) => each === search.filters['status']),
      external_id: search.filters['external'],
    }),
  );
  const mayCreate = useMay()('sessions:write');
  const createButton = mayCreate && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      Create session
    </Button>
  );
  return (
    <>
      <ListPage
        title="Sessions"
        label="Sessions"
        noun={['session', 'sessions']}
        actions={createButton}
        filters={FILTERS}
        search={search}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/sessions/$id', params: { id } })}
        empty={
          <EmptyState title="No sessions yet" action={createButton}>
            A session groups the runs of one piece of work, such as an order, and holds a state that they
            share.
          </EmptyState>
        }
      />
      {creating && (
        <CreateSessionDialog
          projectId={projectId ?? projects[0]?.id}
          onClose={() => setCreating(false)}
          onDone={({ id }) => {
            void queryClient.invalidateQueries({ queryKey: ['sessions'] });
            void navigate({ to: '/sessions/$id', params: { id } });
          }}
        />
      )}
    </>
  );
}
