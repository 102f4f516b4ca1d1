import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type ExecutionDiffView, type NodeDto, workflowVersionQuery } from '../../api/index.ts';
import { placedGraph } from '../../graph/definition-graph.ts';
import { type NodeMark, StaticGraph } from '../../graph/static-graph.tsx';
import { texts } from '../../texts/en/comparison.ts';
import { LoadFailed, Skeleton, useUrlSearch } from '../../ui/index.ts';

const MARKS: Readonly<Record<'base' | 'other', NodeMark>> = {
  base: { text: texts.onlyBase, color: 'waiting' },
  other: { text: texts.onlyOther, color: 'running' },
};

export function PathGraph({ diff }: { readonly diff: ExecutionDiffView }) {
  const { workflow_id: workflowId, base, other, path } = diff;
  const [search, change] = useUrlSearch();
  const ofBase = useQuery(workflowVersionQuery(workflowId, base.workflow_version));
  const ofOther = useQuery(workflowVersionQuery(workflowId, other.workflow_version));
  const graph = useMemo(
    () =>
      ofBase.data === undefined || ofOther.data === undefined
        ? null
        : placedGraph(nodesOfBoth(ofBase.data.nodes, ofOther.data.nodes)),
    [ofBase.data, ofOther.data],
  );
  const marks = useMemo(
    () =>
      new Map([
        ...path.only_base.map((id) => [id, MARKS.base] as const),
        ...path.only_other.map((id) => [id, MARKS.other] as const),
      ]),
    [path],
  );
  const markOf = useCallback((id: string) => marks.get(id), [marks]);
  const error = ofBase.error ?? ofOther.error;
  return (
    // The graph has a fixed height, so that the page does not move when the workflow definitions are loaded.
    <div className="flex h-72 overflow-hidden rounded-md border border-border">
      {graph !== null ? (
        <StaticGraph
          graph={graph}
          label={texts.nodesOfBoth}
          selected={search['node'] ?? null}
          onSelect={(node) => change({ node })}
          markOf={markOf}
        />
      ) : error !== null ? (
        <LoadFailed
          error={error}
          title={texts.couldNotLoadGraph}
          onRetry={() => Promise.all([ofBase.refetch(), ofOther.refetch()])}
        />
      ) : (
        <Skeleton className="m-5 h-12 w-36" />
      )}
    </div>
  );
}

/**
 * Merges the nodes of two workflow versions into one list: all nodes of `other`, and the nodes that only `base` has.
 */
function nodesOfBoth(base: readonly NodeDto[], other: readonly NodeDto[]): readonly NodeDto[] {
  const ids = new Set(other.map(({ id }) => id));
  return [...other, ...base.filter(({ id }) => !ids.has(id))];
}
