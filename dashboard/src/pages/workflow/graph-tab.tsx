import { useMemo } from 'react';
import type { WorkflowView } from '../../api/index.ts';
import { classes, EmptyState, JsonTree, useUrlSearch } from '../../ui/index.ts';
import { NODE_HEIGHT, NODE_WIDTH, needsOf, placedGraph, type PlacedNode } from './definition-graph.ts';

const MARGIN = 20;

/** The graph of a workflow, with the definition of the selected node. */
export function GraphTab({ workflow }: { readonly workflow: WorkflowView }) {
  const { nodes } = workflow;
  const [{ node: selectedId }, change] = useUrlSearch();
  const graph = useMemo(() => placedGraph(nodes), [nodes]);
  if (nodes.length === 0)
    return (
      <EmptyState title="No nodes yet">Add nodes on the Definition tab: they are drawn here.</EmptyState>
    );
  const selected = nodes.find(({ id }) => id === selectedId) ?? nodes[0];
  return (
    <div className="flex min-h-[420px] flex-col lg:min-h-[calc(100dvh-93px)] lg:flex-row">
      <div
        role="group"
        aria-label="Graph"
        tabIndex={0}
        className="min-w-0 flex-1 overflow-auto bg-[radial-gradient(var(--border)_1px,transparent_1px)] bg-[size:16px_16px]"
      >
        <div
          className="relative"
          style={{ width: graph.width + 2 * MARGIN, height: graph.height + 2 * MARGIN, minHeight: 200 }}
        >
          <svg
            aria-hidden
            className="absolute inset-0 text-control"
            width={graph.width + 2 * MARGIN}
            height={graph.height + 2 * MARGIN}
          >
            {graph.edges.map(({ from, to }) => (
              <path
                key={`${from.node.id} ${to.node.id}`}
                d={curve(from, to)}
                fill="none"
                stroke="currentColor"
                strokeWidth="1.5"
              />
            ))}
          </svg>
          {graph.nodes.map(({ node, x, y }) => (
            <button
              key={node.id}
              type="button"
              aria-pressed={node.id === selected?.id}
              onClick={() => change({ node: node.id })}
              style={{ left: x + MARGIN, top: y + MARGIN, width: NODE_WIDTH, height: NODE_HEIGHT }}
              className={classes(
                'absolute overflow-hidden rounded-md border bg-surface pr-2 pl-2.5 text-left hover:bg-muted',
                node.id === selected?.id ? 'border-accent outline-1 outline-accent' : 'border-border',
              )}
            >
              <span aria-hidden className="absolute inset-y-0 left-0 w-[3px] bg-control" />
              <span className="block truncate font-medium">{node.name ?? node.id}</span>
              <span className="block truncate text-label text-text-3">{node.type}</span>
            </button>
          ))}
        </div>
      </div>
      {selected !== undefined && (
        <section
          aria-label="Selected node"
          className="flex flex-col gap-3 border-border p-4 max-lg:border-t lg:w-[360px] lg:border-l"
        >
          <div>
            <h2 className="text-title font-semibold break-words">{selected.name ?? selected.id}</h2>
            <p className="mono text-text-3">
              {selected.id} · {selected.type}
            </p>
          </div>
          <Needs needs={needsOf(selected, nodes)} />
          <JsonTree value={selected} label="definition of the node" />
        </section>
      )}
    </div>
  );
}

function Needs({ needs }: { readonly needs: readonly string[] }) {
  return (
    <p className="text-text-2">{needs.length === 0 ? 'Runs at once.' : `Runs after ${needs.join(', ')}.`}</p>
  );
}

function curve(from: PlacedNode, to: PlacedNode): string {
  const x1 = from.x + NODE_WIDTH + MARGIN;
  const y1 = from.y + NODE_HEIGHT / 2 + MARGIN;
  const x2 = to.x + MARGIN;
  const y2 = to.y + NODE_HEIGHT / 2 + MARGIN;
  const half = (x2 - x1) / 2;
  return `M${x1},${y1} C${x1 + half},${y1} ${x2 - half},${y2} ${x2},${y2}`;
}
