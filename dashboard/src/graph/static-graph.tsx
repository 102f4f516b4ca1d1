import type { NodeDto } from '../api/index.ts';
import { texts } from '../texts/en/graph.ts';
import { classes } from '../ui/index.ts';
import { NODE_HEIGHT, NODE_WIDTH, type PlacedGraph, type PlacedNode } from './definition-graph.ts';

const MARGIN = 20;

export interface NodeMark {
  /** Text that the node shows instead of its condition. Screen readers read the text too. */
  readonly text: string;
  /** Color of the marked node and its edges, from the color theme. */
  readonly color: 'running' | 'waiting';
}

interface StaticGraphProps {
  readonly graph: PlacedGraph;
  readonly label: string;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly markOf?: (id: string) => NodeMark | undefined;
}

const BORDER = { running: 'border-running', waiting: 'border-waiting' } as const;
const BAR = { running: 'bg-running', waiting: 'bg-waiting' } as const;
const TEXT = { running: 'text-running', waiting: 'text-waiting' } as const;

/** Shows the graph of a workflow definition, centered. A graph that is larger than its container scrolls. */
export function StaticGraph({ graph, label, selected, onSelect, markOf }: StaticGraphProps) {
  const size = { width: graph.width + 2 * MARGIN, height: graph.height + 2 * MARGIN };
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="flex min-w-0 flex-1 overflow-auto bg-[radial-gradient(var(--border)_1px,transparent_1px)] bg-[size:16px_16px]"
    >
      <div className="relative m-auto shrink-0" style={size}>
        <svg aria-hidden className="absolute inset-0 text-control" {...size}>
          {graph.edges.map(({ from, to }) => {
            const mark = markOf?.(to.node.id) ?? markOf?.(from.node.id);
            return (
              <path
                key={`${from.node.id} ${to.node.id}`}
                d={curve(from, to)}
                fill="none"
                stroke="currentColor"
                strokeWidth={mark === undefined ? 1.5 : 2}
                strokeDasharray={mark === undefined ? undefined : '5 4'}
                className={mark === undefined ? undefined : TEXT[mark.color]}
              />
            );
          })}
        </svg>
        {graph.nodes.map(({ node, x, y }) => (
          <NodeButton
            key={node.id}
            node={node}
            place={{ left: x + MARGIN, top: y + MARGIN }}
            isSelected={node.id === selected}
            mark={markOf?.(node.id)}
            onSelect={onSelect}
          />
        ))}
      </div>
    </div>
  );
}

interface NodeButtonProps {
  readonly node: NodeDto;
  readonly place: { readonly left: number; readonly top: number };
  readonly isSelected: boolean;
  readonly mark: NodeMark | undefined;
  readonly onSelect: (id: string) => void;
}

function NodeButton({ node, place, isSelected, mark, onSelect }: NodeButtonProps) {
  const condition = node.if ?? '';
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      title={
        condition === '' ? (node.name ?? node.id) : texts.nodeWithCondition(node.name ?? node.id, condition)
      }
      onClick={() => onSelect(node.id)}
      style={{ ...place, width: NODE_WIDTH, height: NODE_HEIGHT }}
      className={classes(
        'absolute overflow-hidden rounded-md border bg-surface pr-2 pl-2.5 text-left hover:bg-muted',
        mark === undefined ? 'border-border' : classes('border-dashed', BORDER[mark.color]),
        isSelected && 'outline-2 outline-offset-1 outline-accent',
      )}
    >
      <span
        aria-hidden
        className={classes(
          'absolute inset-y-0 left-0 w-[3px]',
          mark === undefined ? 'bg-control' : BAR[mark.color],
        )}
      />
      <span className="block truncate font-medium">{node.name ?? node.id}</span>
      <span className="block truncate text-label text-text-3">
        {mark !== undefined ? (
          <span className={TEXT[mark.color]}>{mark.text}</span>
        ) : condition === '' ? (
          node.type
        ) : (
          texts.typeWithCondition(node.type, condition)
        )}
      </span>
    </button>
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
