import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { hooksQuery, type HookView, type HookWithUrlView, useMay } from '../../api/index.ts';
import { useProject } from '../../shell/project.ts';
import { useWorkflowNames, type WorkflowNames } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/hooks.ts';
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
import { HookDialog } from './hook-dialog.tsx';
import { actionText } from './hook-form.ts';
import { UrlReveal } from './url-reveal.tsx';

const HOOK_STATUSES: readonly HookView['status'][] = ['active', 'paused'];
/** Refetch interval in milliseconds. The page polls, because the live feed has no events for requests to a hook. */
const REFRESH_MS = 10_000;

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'q', label: texts.searchByNameOrId },
  {
    kind: 'choice',
    name: 'status',
    label: texts.status,
    options: HOOK_STATUSES.map((value) => ({ value, label: STATUSES[value].word })),
  },
];

function columnsOf(names: WorkflowNames['names']): readonly Column<HookView>[] {
  const nameOf = (id: string): string => names.get(id) ?? shortId(id);
  return [
    {
      id: 'name',
      header: texts.name,
      cell: ({ name, workflow_id }) => (
        <>
          <NameText name={name} />
          <span className="block text-small font-normal text-text-2 md:hidden">
            {workflow_id === null ? texts.any : nameOf(workflow_id)}
          </span>
        </>
      ),
    },
    { id: 'status', header: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
    { id: 'action', header: texts.action, wideOnly: true, cell: (hook) => actionText(hook) },
    {
      id: 'workflow',
      header: texts.workflow,
      wideOnly: true,
      cell: ({ workflow_id }) =>
        workflow_id === null ? (
          <span className="text-text-3">{texts.any}</span>
        ) : (
          <NameText name={nameOf(workflow_id)} />
        ),
    },
    {
      id: 'url',
      header: texts.url,
      wideOnly: true,
      cell: ({ url_prefix }) => (
        <code className="mono">…{url_prefix.slice(url_prefix.lastIndexOf('/hooks/'))}…</code>
      ),
    },
    {
      id: 'last',
      header: texts.lastDelivery,
      align: 'right',
      cell: ({ last_delivery_at }) => <Time value={last_delivery_at} absent={texts.never} />,
    },
  ];
}

export function HooksPage() {
  const { projectId } = useProject();
  const search = useListSearch('q', 'status');
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<HookWithUrlView>();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...hooksQuery({
      ...search.page,
      project_id: projectId,
      q: search.filters['q'],
      status: HOOK_STATUSES.find((each) => each === search.filters['status']),
    }),
    refetchInterval: REFRESH_MS,
  });
  const { names, isPending } = useWorkflowNames(
    projectId,
    query.data?.data.flatMap(({ workflow_id }) => (workflow_id === null ? [] : [{ workflow_id }])),
  );
  const createButton = useMay()('hooks:write') && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setIsCreating(true)}>
      {texts.createHook}
    </Button>
  );
  return (
    <>
      <ListPage
        title={texts.hooks}
        label={texts.hooks}
        noun={texts.hookNoun}
        actions={createButton}
        filters={FILTERS}
        search={search}
        query={query}
        areRowsPending={isPending}
        columns={columnsOf(names)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/hooks/$id', params: { id } })}
        empty={
          <EmptyState title={texts.noHooksYet} action={createButton} docs="hooks">
            {texts.purpose}
          </EmptyState>
        }
      />
      {isCreating && (
        <HookDialog
          onClose={() => setIsCreating(false)}
          onDone={({ data }) => {
            setIsCreating(false);
            setCreated(data);
            void queryClient.invalidateQueries({ queryKey: ['hooks'] });
          }}
        />
      )}
      {created !== undefined && (
        <UrlReveal
          hook={created}
          onClose={() => {
            setCreated(undefined);
            void navigate({ to: '/hooks/$id', params: { id: created.id } });
          }}
        />
      )}
    </>
  );
}
