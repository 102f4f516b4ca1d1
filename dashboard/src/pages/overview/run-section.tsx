import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import type { WorkflowNames } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/overview.ts';
import {
  Button,
  type Column,
  DataTable,
  ErrorNote,
  type ListAnswer,
  namedRunColumns,
} from '../../ui/index.ts';

/** Maximum number of executions in a section of the overview. */
const MAX_EXECUTIONS = 5;

export function sectionQuery(statuses: readonly ExecutionView['status'][], projectId: string | undefined) {
  return executionsQuery({ limit: MAX_EXECUTIONS, offset: 0, project_id: projectId, status: [...statuses] });
}

interface RunSectionProps {
  readonly title: string;
  readonly query: UseQueryResult<ListAnswer<ExecutionView>>;
  readonly names: WorkflowNames['names'];
  /** Columns of the table that follow the column with the name of the workflow. */
  readonly columns: readonly Column<ExecutionView>[];
  readonly none: string;
}

export function RunSection({
  title,
  query: { data, error, refetch },
  names,
  columns,
  none,
}: RunSectionProps) {
  const id = useId();
  const [idColumn, workflowColumn] = namedRunColumns(names);
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="px-5 pt-5 pb-2 text-title font-semibold">
        {title}
      </h2>
      {error !== null && (
        <div className="px-5 pb-3">
          <ErrorNote error={error} title={texts.couldNotLoadExecutions}>
            <Button onClick={() => void refetch()}>{texts.tryAgain}</Button>
          </ErrorNote>
        </div>
      )}
      {data?.data.length === 0 && <p className="px-5 pb-2 text-text-2">{none}</p>}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={title}
          rows={data.data}
          columns={[
            { ...idColumn, width: 'md:w-28' },
            { ...workflowColumn, width: 'md:w-[30%]' },
            ...columns,
          ]}
          rowKey={(run) => run.id}
          rowLink={(run) => ({ to: '/executions/$id', params: { id: run.id } })}
        />
      )}
    </section>
  );
}
