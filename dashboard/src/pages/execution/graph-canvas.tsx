import '@xyflow/react/dist/base.css';
import './graph.css';
import {
  Background,
  type Edge,
  Handle,
  MiniMap,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { type KeyboardEvent, useMemo } from 'react';
import { classes, STATUSES } from '../../ui/index.ts';
import { NODE_HEIGHT, NODE_WIDTH, placesOf } from './graph-layout.ts';
import type { NodesProps } from './nodes-props.ts';
import { LiveDetail } from './live-detail.tsx';
import { type ShownNode, TONE_TEXT, toneOf } from './node-words.ts';

/** From this many nodes on, a small map helps. */
const MAP_FROM = 21;
const PAN = 60;
const FIT = { padding: '16px', maxZoom: 1, minZoom: 0.5 } as const;

type RunNode = Node<{
  readonly shown: ShownNode;
  readonly selected: boolean;
  readonly onSelect: (key: string) => void;
  readonly now: () => number;
}>;

const NODE_TYPES = { run: NodeBox };

export function GraphCanvas(props: NodesProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ graph, nodes, selected, onSelect, now }: NodesProps) {
  const { fitView, getViewport, setViewport, zoomIn, zoomOut } = useReactFlow();
  const places = useMemo(() => placesOf(graph), [graph]);
  const drawn: RunNode[] = nodes.map((shown) => ({
    id: shown.node.id,
    type: 'run',
    position: places.get(shown.node.id) ?? { x: 0, y: 0 },
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    data: { shown, selected: selected === shown.node.id, onSelect, now },
  }));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { x, y, zoom } = getViewport();
    const moves: Readonly<Record<string, () => unknown>> = {
      ArrowLeft: () => setViewport({ x: x + PAN, y, zoom }),
      ArrowRight: () => setViewport({ x: x - PAN, y, zoom }),
      ArrowUp: () => setViewport({ x, y: y + PAN, zoom }),
      ArrowDown: () => setViewport({ x, y: y - PAN, zoom }),
      '+': () => zoomIn(),
      '=': () => zoomIn(),
      '-': () => zoomOut(),
      '0': () => fitView(FIT),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return (
    // It moves by keys as what scrolls does.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="group"
      aria-label="Graph of nodes. Arrow keys move it, plus and minus zoom, 0 shows all."
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="size-full focus-visible:-outline-offset-2"
    >
      <ReactFlow
        nodes={drawn}
        edges={edgesOf(nodes)}
        nodeTypes={NODE_TYPES}
        fitView
        fitViewOptions={FIT}
        minZoom={0.2}
        maxZoom={1.5}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        preventScrolling
        zoomOnScroll={false}
        panOnScroll={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={16} size={1.5} color="var(--border)" />
        {nodes.length >= MAP_FROM && (
          <MiniMap
            pannable
            ariaLabel="Small map of the graph"
            bgColor="var(--surface)"
            nodeColor="var(--control)"
          />
        )}
      </ReactFlow>
    </div>
  );
}

function edgesOf(nodes: readonly ShownNode[]): Edge[] {
  const statuses = new Map(nodes.map(({ node, status }) => [node.id, status]));
  return nodes.flatMap(({ node, status }) =>
    node.needs.map((need): Edge => {
      const isActive = status === 'running' || status === 'retrying';
      const isFailed = status === 'failed' || statuses.get(need) === 'failed';
      const isSkipped = status === 'skipped' || statuses.get(need) === 'skipped';
      return {
        id: `${need}>${node.id}`,
        source: need,
        target: node.id,
        animated: isActive,
        className: classes(
          'run-edge',
          isActive && 'run-edge-active',
          isFailed && 'run-edge-failed',
          isSkipped && 'run-edge-skipped',
        ),
      };
    }),
  );
}

function NodeBox({ data: { shown, selected, onSelect, now } }: NodeProps<RunNode>) {
  const { node, status } = shown;
  const { icon: Icon, word } = STATUSES[status];
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <button
        type="button"
        aria-pressed={selected}
        title={node.name}
        onClick={() => onSelect(node.id)}
        className={classes(
          'nopan pointer-events-auto relative flex h-12 w-[146px] flex-col justify-center overflow-hidden rounded-md border bg-surface pr-2 pl-2.5 text-left',
          status === 'skipped' ? 'border-dashed border-text-3' : 'border-border',
          status === 'failed' && 'border-failed',
          selected && 'outline-2 outline-offset-1 outline-accent',
        )}
      >
        <span
          aria-hidden
          className={classes('absolute inset-y-0 left-0 w-[3px] bg-current', TONE_TEXT[toneOf(status)])}
        />
        <span className="block w-full truncate font-medium">{node.name}</span>
        <span className="label num flex w-full items-center gap-1 font-normal">
          <Icon size={11} aria-hidden className={classes('shrink-0', TONE_TEXT[toneOf(status)])} />
          <span className="truncate">
            {node.type} · <LiveDetail shown={shown} now={now} />
            <span className="sr-only">, {word}</span>
          </span>
        </span>
      </button>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}
