import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import { useWorkflowNames } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/overview.ts';
import {
  Button,
  classes,
  type Column,
  DataTable,
  ErrorNote,
  type ListAnswer,
  RUN_COLUMN,
  workflowColumn,
} from '../../ui/index.ts';

/** Maximum number of executions in a section. */
const MOST = 5;

export function sectionQuery(statuses: readonly ExecutionView['status'][], projectId: string | undefined) {
  return executionsQuery({ limit: MOST, offset: 0, project_id: projectId, status: [...statuses] });
}

interface RunSectionProps {
  readonly title: string;
  readonly query: UseQueryResult<ListAnswer<ExecutionView>>;
  readonly projectId: string | undefined;
  /** The additional column of this section. */
  readonly own: Column<ExecutionView>;
  readonly none: string;
  /** Whether an emptier section keeps its full height, so that nothing below moves. */
  readonly hasFixedHeight?: boolean;
}

export function RunSection({
  title,
  query: { data, error, refetch },
  projectId,
  own,
  none,
  hasFixedHeight = false,
}: RunSectionProps) {
  const id = useId();
  const names = useWorkflowNames(projectId, data?.data);
  return (
    <section aria-labelledby={id} className={classes(hasFixedHeight && 'min-h-[280px]')}>
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
            { ...RUN_COLUMN.id, width: 'md:w-32' },
            { ...workflowColumn(names), width: 'md:w-64' },
            { ...RUN_COLUMN.status, width: 'md:w-40' },
            own,
            { ...RUN_COLUMN.duration, width: 'md:w-28' },
            { ...RUN_COLUMN.created, width: 'md:w-36' },
          ]}
          rowKey={(run) => run.id}
          rowLink={(run) => ({ to: '/executions/$id', params: { id: run.id } })}
        />
      )}
    </section>
  );
}
