import { useQuery } from '@tanstack/react-query';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import { useNewCount } from '../../live/index.ts';
import { texts } from '../../texts/en/workflow.ts';
import { type Column, EmptyState, List, RUN_COLUMN, useListSearch } from '../../ui/index.ts';

const COLUMNS: readonly Column<ExecutionView>[] = [
  RUN_COLUMN.id,
  RUN_COLUMN.status,
  {
    id: 'version',
    header: texts.version,
    align: 'right',
    wideOnly: true,
    cell: ({ workflow_version }) => <span className="num">{texts.versionTag(workflow_version)}</span>,
  },
  RUN_COLUMN.duration,
  RUN_COLUMN.created,
];

export function RunsTab({ workflowId }: { readonly workflowId: string }) {
  const search = useListSearch();
  const query = useQuery(executionsQuery({ ...search.page, workflow_id: workflowId }));
  const newCount = useNewCount(
    ({ type, workflow_id }) => type === 'workflow.queued' && workflow_id === workflowId,
    query.dataUpdatedAt,
  );
  return (
    <List
      label={texts.executions}
      noun={texts.executionNoun}
      search={search}
      query={query}
      newCount={newCount}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: '/executions/$id', params: { id } })}
      empty={
        <EmptyState title={texts.noExecutionsYet} docs="executions">
          {texts.executionsPurpose}
        </EmptyState>
      }
    />
  );
}
