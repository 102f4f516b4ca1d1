import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { nodeTypesQuery } from '../../../api/index.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';
import { Button, ErrorNote, PageHeader, SkeletonRows } from '../../../ui/index.ts';
import { liveWorkflowQuery } from '../live-workflow.ts';
import { BuilderView } from './builder-view.tsx';

const CRUMBS = [{ label: texts.workflows, to: '/workflows' }] as const;

export function BuilderPage() {
  const { id } = useParams({ from: '/inside/workflows/$id/edit' });
  const live = useQuery(liveWorkflowQuery(id));
  const types = useQuery(nodeTypesQuery);
  if (live.data !== undefined && types.data !== undefined)
    return <BuilderView key={id} live={live.data} types={types.data.data} />;
  return <Pending error={live.error ?? types.error} onRetry={() => void live.refetch()} />;
}

export function NewWorkflowPage() {
  const { data, error, refetch } = useQuery(nodeTypesQuery);
  if (data !== undefined) return <BuilderView live={null} types={data.data} />;
  return <Pending error={error} onRetry={() => void refetch()} />;
}

function Pending({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <>
      <PageHeader title={texts.editWorkflow} crumbs={CRUMBS} />
      {error === null ? (
        <SkeletonRows />
      ) : (
        <div className="p-5">
          <ErrorNote error={error} title={texts.couldNotLoadWorkflow}>
            <Button onClick={onRetry}>{texts.tryAgain}</Button>
          </ErrorNote>
        </div>
      )}
    </>
  );
}
