import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type ExecutionView, workflowsQuery, type WorkflowView } from '../../api/index.ts';
import { useProject } from '../../shell/project.ts';
import {
  Button,
  type Column,
  EmptyState,
  type Filter,
  ListPage,
  StatusBadge,
  Time,
  useListSearch,
  useShortcut,
} from '../../ui/index.ts';
import { CreateDialog } from './create-dialog.tsx';

const COLUMNS: readonly Column<WorkflowView>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'version', header: 'Version', align: 'right', wideOnly: true, cell: ({ version }) => `v${version}` },
  {
    id: 'last',
    header: 'Last run',
    wideOnly: true,
    cell: ({ last_execution }) => <LastRun run={last_execution} />,
  },
  {
    id: 'tags',
    header: 'Tags',
    wideOnly: true,
    cell: ({ tags }) => (
      <span className="flex flex-wrap gap-1">
        {tags.map((tag) => (
          <span key={tag} className="rounded-full bg-muted px-2 text-small text-text-2">
            {tag}
          </span>
        ))}
      </span>
    ),
  },
  {
    id: 'updated',
    header: 'Changed',
    align: 'right',
    wideOnly: true,
    cell: ({ updated_at }) => <Time value={updated_at} />,
  },
];

const STATUSES: readonly WorkflowView['status'][] = ['draft', 'active', 'paused', 'archived'];

const RUN_STATUSES: readonly ExecutionView['status'][] = [
  'queued',
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
];

function LastRun({ run }: { readonly run: WorkflowView['last_execution'] }) {
  const status = RUN_STATUSES.find((each) => each === run?.status);
  if (status === undefined) return <span className="text-text-3">None yet</span>;
  return <StatusBadge status={status} />;
}

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'q', label: 'Search by name' },
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    options: [
      { value: 'draft', label: 'Draft' },
      { value: 'active', label: 'Active' },
      { value: 'paused', label: 'Paused' },
      { value: 'archived', label: 'Archived' },
    ],
  },
  { kind: 'text', name: 'tag', label: 'Tag' },
];

export function WorkflowsPage() {
  const { projectId } = useProject();
  const search = useListSearch('q', 'status', 'tag');
  const [isCreating, setCreating] = useState(false);
  useShortcut('n', 'Create a workflow', () => setCreating(true));
  const { q, status, tag } = search.filters;
  const query = useQuery(
    workflowsQuery({
      ...search.page,
      project_id: projectId,
      q,
      tag,
      status: STATUSES.find((each) => each === status),
    }),
  );
  const create = (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      Create workflow
    </Button>
  );
  return (
    <>
      <ListPage
        title="Workflows"
        label="Workflows"
        noun={['workflow', 'workflows']}
        actions={create}
        filters={FILTERS}
        search={search}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/workflows/$id', params: { id } })}
        empty={
          <EmptyState title="No workflows yet">
            A workflow is a graph of steps that the service runs durably. Create one from a template, or with{' '}
            <code className="mono">POST /v1/workflows</code>.
          </EmptyState>
        }
      />
      <CreateDialog open={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}
