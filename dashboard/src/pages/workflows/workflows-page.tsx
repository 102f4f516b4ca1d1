import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import {
  latestRunsQuery,
  useMay,
  type WorkflowRunsView,
  workflowsQuery,
  type WorkflowView,
} from '../../api/index.ts';
import { percent } from '../../format/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { useProject } from '../../shell/project.ts';
import { texts } from '../../texts/en/workflows.ts';
import {
  Button,
  type Column,
  EmptyState,
  type Filter,
  ListPage,
  NameText,
  RunBars,
  Skeleton,
  StatusBadge,
  Time,
  useListSearch,
  useShortcut,
} from '../../ui/index.ts';
import { CreateDialog } from './create-dialog.tsx';

type LatestRuns = ReadonlyMap<string, WorkflowRunsView>;

/** Maximum number of tags shown for each workflow in the list. */
const MOST_TAGS = 2;

const LATEST = ['executions', 'latest'];

const COLUMNS: readonly Column<WorkflowView>[] = [
  {
    id: 'name',
    header: texts.name,
    cell: ({ name }) => <NameText name={name} />,
  },
  { id: 'status', header: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'version',
    header: texts.version,
    align: 'right',
    wideOnly: true,
    cell: ({ version }) => texts.versionTag(version),
  },
];

const LATER_COLUMNS: readonly Column<WorkflowView>[] = [
  {
    id: 'tags',
    header: texts.tags,
    wideOnly: true,
    cell: ({ tags }) => (
      <span className="flex gap-1" title={tags.join(', ')}>
        {tags.slice(0, MOST_TAGS).map((tag) => (
          <Tag key={tag} text={tag} />
        ))}
        {tags.length > MOST_TAGS && <Tag text={`+${tags.length - MOST_TAGS}`} />}
      </span>
    ),
  },
  {
    id: 'updated',
    header: texts.changed,
    align: 'right',
    wideOnly: true,
    cell: ({ updated_at }) => <Time value={updated_at} />,
  },
];

/** @param latest the latest executions of each workflow; undefined while loading */
function runColumns(latest: LatestRuns | undefined): readonly Column<WorkflowView>[] {
  return [
    {
      id: 'runs',
      header: texts.lastExecutions,
      wideOnly: true,
      cell: ({ id }) => {
        const runs = latest?.get(id)?.runs;
        return (
          // The cell is as wide as 20 bars, so that the columns do not move when the bars of the latest executions are
          // loaded.
          <div className="w-[118px]">
            {runs !== undefined ? (
              <RunBars runs={runs} />
            ) : latest === undefined ? (
              <Skeleton className="h-5" />
            ) : (
              <None>{texts.noneYet}</None>
            )}
          </div>
        );
      },
    },
    {
      id: 'success',
      header: texts.success,
      align: 'right',
      cell: ({ id }) => {
        const rate = latest?.get(id)?.success_rate ?? null;
        return <div className="num min-w-11">{rate === null ? <None>–</None> : percent(rate)}</div>;
      },
    },
  ];
}

function Tag({ text }: { readonly text: string }) {
  return <span className="max-w-24 truncate rounded-full bg-muted px-2 text-small text-text-2">{text}</span>;
}

function None({ children }: { readonly children: string }) {
  return <span className="text-text-3">{children}</span>;
}

const STATUSES: readonly WorkflowView['status'][] = ['draft', 'active', 'paused', 'archived'];

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'q', label: texts.searchByName },
  {
    kind: 'choice',
    name: 'status',
    label: texts.status,
    options: [
      { value: 'draft', label: texts.draft },
      { value: 'active', label: texts.active },
      { value: 'paused', label: texts.paused },
      { value: 'archived', label: texts.archived },
    ],
  },
  { kind: 'text', name: 'tag', label: texts.tag },
];

export function WorkflowsPage() {
  const { projectId } = useProject();
  const search = useListSearch('q', 'status', 'tag');
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMay()('workflows:write');
  useShortcut('n', texts.createTitle, () => setCreating(true), { enabled: mayCreate });
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
  const { data: latest } = useQuery(latestRunsQuery(query.data?.data.map(({ id }) => id) ?? []));
  useLiveRefresh(LATEST);
  const create = mayCreate && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      {texts.createWorkflow}
    </Button>
  );
  return (
    <>
      <ListPage
        title={texts.workflows}
        label={texts.workflows}
        noun={texts.workflowNoun}
        actions={create}
        filters={FILTERS}
        search={search}
        query={query}
        columns={[...COLUMNS, ...runColumns(latest), ...LATER_COLUMNS]}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/workflows/$id', params: { id } })}
        empty={
          <EmptyState title={texts.noWorkflowsYet} action={create} docs="getting-started">
            {texts.purpose(<code className="mono">POST /v1/workflows</code>)}
          </EmptyState>
        }
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  );
}
