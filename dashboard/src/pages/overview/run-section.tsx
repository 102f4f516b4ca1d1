import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import { useWorkflowNames } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/overview.ts';
import {
  Button,
  type Column,
  DataTable,
  ErrorNote,
  RUN_COLUMN,
  SkeletonRows,
  workflowColumn,
} from '../../ui/index.ts';

interface RunSectionProps {
  readonly title: string;
  readonly statuses: readonly ExecutionView['status'][];
  readonly projectId: string | undefined;
  /** The extra column of this section. */
  readonly own: Column<ExecutionView>;
  /** Shown if there are no executions. */
  readonly none: string;
}

/** The latest executions with some statuses, each with a link to its page. */
export function RunSection({ title, statuses, projectId, own, none }: RunSectionProps) {
  const id = useId();
  const { data, error, refetch } = useQuery(
    executionsQuery({ limit: 8, offset: 0, project_id: projectId, status: [...statuses] }),
  );
  const names = useWorkflowNames(projectId, data?.data);
  return (
    <section aria-labelledby={id}>
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
      {data === undefined && error === null && <SkeletonRows rows={3} />}
      {data?.data.length === 0 && <p className="px-5 pb-2 text-text-2">{none}</p>}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={title}
          rows={data.data}
          columns={[
            RUN_COLUMN.id,
            workflowColumn(names),
            RUN_COLUMN.status,
            own,
            RUN_COLUMN.duration,
            RUN_COLUMN.created,
          ]}
          rowKey={(run) => run.id}
          rowLink={(run) => ({ to: '/executions/$id', params: { id: run.id } })}
        />
      )}
    </section>
  );
}
