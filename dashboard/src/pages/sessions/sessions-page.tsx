import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { sessionsQuery, type SessionView, useMay } from '../../api/index.ts';
import { number } from '../../format/index.ts';
import { useProject } from '../../shell/project.ts';
import { texts } from '../../texts/en/sessions.ts';
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
    header: texts.name,
    cell: ({ name, external_id, id }) => (
      <NameText name={name === '' ? (external_id ?? shortId(id)) : name} />
    ),
  },
  { id: 'status', header: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'external',
    header: texts.externalId,
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
    header: texts.running,
    align: 'right',
    wideOnly: true,
    cell: ({ execution_counts }) => <span className="num">{number(execution_counts.running)}</span>,
  },
  {
    id: 'failed',
    header: texts.failed,
    align: 'right',
    wideOnly: true,
    cell: ({ execution_counts }) => <span className="num">{number(execution_counts.failed)}</span>,
  },
  {
    id: 'runs',
    header: texts.executions,
    align: 'right',
    cell: ({ execution_counts }) => <span className="num">{number(execution_counts.total)}</span>,
  },
  {
    id: 'activity',
    header: texts.lastActivity,
    align: 'right',
    wideOnly: true,
    cell: ({ last_activity_at }) => <Time value={last_activity_at} />,
  },
];

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'q', label: texts.searchByNameOrId },
  {
    kind: 'choice',
    name: 'status',
    label: texts.status,
    options: SESSION_STATUSES.map((value) => ({ value, label: STATUSES[value].word })),
  },
  { kind: 'text', name: 'external', label: texts.externalId },
];

export function SessionsPage() {
  const { projectId, projects } = useProject();
  const search = useListSearch('q', 'status', 'external');
  const [creating, setCreating] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const query = useQuery(
    sessionsQuery({
      ...search.page,
      project_id: projectId,
      q: search.filters['q'],
      status: SESSION_STATUSES.find((each) => each === search.filters['status']),
      external_id: search.filters['external'],
    }),
  );
  const mayCreate = useMay()('sessions:write');
  const createButton = mayCreate && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      {texts.createSession}
    </Button>
  );
  return (
    <>
      <ListPage
        title={texts.sessions}
        label={texts.sessions}
        noun={texts.sessionNoun}
        actions={createButton}
        filters={FILTERS}
        search={search}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/sessions/$id', params: { id } })}
        empty={
          <EmptyState title={texts.noSessionsYet} action={createButton} docs="concepts">
            {texts.purpose}
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
