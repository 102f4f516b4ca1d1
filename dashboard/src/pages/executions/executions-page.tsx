import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { executionsQuery, type ExecutionView, oneRunQuery, useMay } from '../../api/index.ts';
import { TRIGGERS } from '../../format/index.ts';
import { useNewCount } from '../../live/index.ts';
import { useProject } from '../../shell/project.ts';
import { useWorkflowNames, type WorkflowNames } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/executions.ts';
import {
  buttonClasses,
  type Column,
  EmptyState,
  type Filter,
  ListPage,
  namedRunColumns,
  RUN_COLUMN,
  shortId,
  useListSearch,
} from '../../ui/index.ts';
import { BulkAll } from './bulk-all.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { CreatedFilter, StatusFilter } from './more-filters.tsx';
import { bringsIn, FILTER_NAMES, runsQueryOf, searchOf } from './run-filters.ts';
import { SavedViews } from './saved-views.tsx';
import { useLiveRows } from './use-live-rows.ts';

export function ExecutionsPage() {
  const { projectId } = useProject();
  // Another project starts without selected rows.
  return <ExecutionList key={projectId ?? ''} projectId={projectId} />;
}

function ExecutionList({ projectId }: { readonly projectId: string | undefined }) {
  const may = useMay();
  const search = useListSearch(...FILTER_NAMES);
  const { filters, page } = search;
  const wanted = searchOf(filters['q']);
  const query = { ...page, project_id: projectId, ...runsQueryOf(filters) };
  const list = useQuery(executionsQuery(query));
  const one = useQuery(oneRunQuery(wanted.kind === 'id' ? wanted.id : null));
  const shown = wanted.kind === 'id' ? one : list;
  const { names, isPending } = useWorkflowNames(projectId, shown.data?.data);
  const ids = useMemo(() => new Set(shown.data?.data.map(({ id }) => id)), [shown.data]);
  useLiveRows(query, ids);
  const newCount = useNewCount(
    (event) => wanted.kind !== 'id' && !ids.has(event.execution_id) && bringsIn(event, query, projectId),
    list.dataUpdatedAt,
  );
  const [chosen, setChosen] = useState<ReadonlyMap<string, ExecutionView>>(new Map());
  const current = [...chosen.values()].map((run) => shown.data?.data.find(({ id }) => id === run.id) ?? run);
  const keys = useMemo(() => new Set(chosen.keys()), [chosen]);
  const choose = (runs: readonly ExecutionView[], isChosen: boolean): void =>
    setChosen((before) => {
      const next = new Map(before);
      for (const run of runs)
        if (isChosen) next.set(run.id, run);
        else next.delete(run.id);
      return next;
    });
  return (
    <>
      <ListPage
        title={texts.executions}
        label={texts.executions}
        noun={texts.noun}
        filters={filtersOf(names, filters['retry_of'] !== undefined)}
        beside={
          <>
            <StatusFilter search={search} />
            <CreatedFilter search={search} />
          </>
        }
        listActions={
          <>
            {may('executions:write') && (
              <BulkAll
                query={{ project_id: projectId, ...runsQueryOf(filters) }}
                isSearched={wanted.kind === 'id' || wanted.kind === 'text'}
              />
            )}
            <SavedViews filters={filters} />
          </>
        }
        search={search}
        query={shown}
        newCount={newCount}
        areRowsPending={isPending}
        columns={columnsOf(names)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/executions/$id', params: { id } })}
        choice={
          may('executions:write')
            ? { chosen: keys, onChange: choose, nameOf: ({ id }) => texts.executionName(shortId(id)) }
            : undefined
        }
        empty={
          <EmptyState
            title={texts.noExecutionsYet}
            docs="executions"
            action={
              may('executions:write') && (
                <Link to="/workflows" className={buttonClasses({ kind: 'primary' })}>
                  {texts.chooseWorkflow}
                </Link>
              )
            }
          >
            {texts.purpose}
          </EmptyState>
        }
      />
      <BulkBar runs={current} onDone={() => setChosen(new Map())} />
    </>
  );
}

type Names = WorkflowNames['names'];

function columnsOf(names: Names): readonly Column<ExecutionView>[] {
  return [
    ...namedRunColumns(names),
    RUN_COLUMN.status,
    { id: 'trigger', header: texts.trigger, wideOnly: true, cell: ({ trigger }) => TRIGGERS[trigger.type] },
    RUN_COLUMN.started,
    RUN_COLUMN.duration,
  ];
}

/** @param showsRetryOf whether to show the filter by retried execution, which only links to the page can set */
function filtersOf(names: Names, showsRetryOf: boolean): readonly Filter[] {
  return [
    { kind: 'text', name: 'q', label: texts.search },
    {
      kind: 'choice',
      name: 'workflow',
      label: texts.workflow,
      options: [...names].map(([value, label]) => ({ value, label })),
    },
    {
      kind: 'choice',
      name: 'trigger',
      label: texts.trigger,
      options: Object.entries(TRIGGERS).map(([value, label]) => ({ value, label })),
    },
    { kind: 'text', name: 'session', label: texts.sessionId },
    ...(showsRetryOf ? [{ kind: 'text', name: 'retry_of', label: texts.retryOf } as const] : []),
  ];
}
