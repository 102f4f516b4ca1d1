import { useMemo } from 'react';
import type { WorkflowView } from '../../api/index.ts';
import { needsOf, placedGraph } from '../../graph/definition-graph.ts';
import { StaticGraph } from '../../graph/static-graph.tsx';
import { texts } from '../../texts/en/workflow.ts';
import { EmptyState, JsonTree, useUrlSearch } from '../../ui/index.ts';

export function GraphTab({ workflow }: { readonly workflow: WorkflowView }) {
  const { nodes } = workflow;
  const [{ node: selectedId }, change] = useUrlSearch();
  const graph = useMemo(() => placedGraph(nodes), [nodes]);
  if (nodes.length === 0) return <EmptyState title={texts.noNodesYet}>{texts.graphEmptyHint}</EmptyState>;
  const selected = nodes.find(({ id }) => id === selectedId) ?? nodes[0];
  return (
    <div className="flex min-h-[420px] flex-col lg:min-h-[calc(100dvh-93px)] lg:flex-row">
      <StaticGraph
        graph={graph}
        label={texts.graph}
        selected={selected?.id ?? null}
        onSelect={(node) => change({ node })}
      />
      {selected !== undefined && (
        <section
          aria-label={texts.selectedNode}
          className="flex flex-col gap-3 border-border p-4 max-lg:border-t lg:w-[360px] lg:border-l"
        >
          <div>
            <h2 className="text-title font-semibold break-words">{selected.name ?? selected.id}</h2>
            <p className="mono text-text-3">
              {selected.id} · {selected.type}
            </p>
          </div>
          <Needs needs={needsOf(selected, nodes)} />
          <JsonTree value={selected} label={texts.nodeDefinition} />
        </section>
      )}
    </div>
  );
}

function Needs({ needs }: { readonly needs: readonly string[] }) {
  return (
    <p className="text-text-2">
      {needs.length === 0 ? texts.runsImmediately : texts.runsAfter(needs.join(', '))}
    </p>
  );
}
