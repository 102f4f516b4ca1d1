import '@xyflow/react/dist/base.css';
import './graph.css';
import {
  Background,
  BaseEdge,
  type Edge,
  type EdgeProps,
  getBezierPath,
  Handle,
  MiniMap,
  type MiniMapNodeProps,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { Map as MapIcon, Scan, ZoomIn, ZoomOut } from 'lucide-react';
import {
  createContext,
  type KeyboardEvent,
  memo,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { firstView, type FirstViewOptions } from '../../graph/first-view.ts';
import { texts } from '../../texts/en/execution.ts';
import { classes, IconButton, STATUSES } from '../../ui/index.ts';
import { NODE_HEIGHT, NODE_WIDTH, placesOf } from './graph-layout.ts';
import type { NodesProps } from './nodes-props.ts';
import { LiveDetail } from './live-detail.tsx';
import { fractionOf, TONE_TEXT, toneOf } from './node-words.ts';
import type { GraphNode } from './run-graph.ts';
import { Shown, ShownStore, useIsSelected, useShown } from './shown-store.ts';

/** Minimum number of nodes for which the graph has a minimap. */
const MAP_FROM = 21;
const PAN = 60;
/** Minimum zoom factor. At this factor, hundreds of nodes fit on the screen. */
const MIN_ZOOM = 0.02;
const FIRST_VIEW: FirstViewOptions = { padding: 16, wholeFrom: 0.5, readable: 0.8 };
const WHOLE: FirstViewOptions = { ...FIRST_VIEW, wholeFrom: 0, readable: MIN_ZOOM };
const MAP = { width: 132, height: 76 } as const;

type RunNode = Node<Pick<NodesProps, 'onSelect'>>;

const Now = createContext<NodesProps['now']>(Date.now);

/**
 * Removes the attribute `aria-roledescription` that React Flow sets on nodes. ARIA forbids the attribute on elements
 * without a role.
 */
const PLAIN_NODE = { 'aria-roledescription': undefined };
const NODE_TYPES = { run: memo(NodeBox) };
const EDGE_TYPES = { run: memo(RunEdge) };

export const GraphCanvas = memo(function GraphCanvas({ graph, nodes, selected, onSelect, now }: NodesProps) {
  const [store] = useState(() => new ShownStore());
  useLayoutEffect(() => store.show(nodes, selected), [store, nodes, selected]);
  return (
    <Shown value={store}>
      <Now value={now}>
        <ReactFlowProvider>
          <Canvas graph={graph} onSelect={onSelect} />
        </ReactFlowProvider>
      </Now>
    </Shown>
  );
});

/** The canvas renders again only when the graph changes. An event renders only the nodes and edges that it affects. */
const Canvas = memo(function Canvas({ graph, onSelect }: Pick<NodesProps, 'graph' | 'onSelect'>) {
  const pane = useRef<HTMLDivElement>(null);
  const { getNodesBounds, getViewport, setViewport, zoomIn, zoomOut } = useReactFlow();
  const places = useMemo(() => placesOf(graph), [graph]);
  const isLarge = graph.length >= MAP_FROM;
  const drawn = useMemo(
    () =>
      graph.map(({ id }): RunNode => ({
        id,
        type: 'run',
        position: places.get(id) ?? { x: 0, y: 0 },
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
        domAttributes: PLAIN_NODE,
        data: { onSelect },
      })),
    [graph, places, onSelect],
  );
  const edges = useMemo(() => edgesOf(graph), [graph]);
  const [hasMap, setHasMap] = useState(isLarge);
  const show = (options: FirstViewOptions): void => {
    const { clientWidth = 0, clientHeight = 0 } = pane.current ?? {};
    void setViewport(firstView(getNodesBounds(drawn), { width: clientWidth, height: clientHeight }, options));
  };
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
      '0': () => show(WHOLE),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return (
    // With `role="application"`, screen readers pass the arrow keys to the page. The arrow keys pan the graph.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={pane}
      role="application"
      aria-label={texts.graphHelp}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="size-full focus-visible:-outline-offset-2"
    >
      <ReactFlow
        nodes={drawn}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onInit={() => show(FIRST_VIEW)}
        onlyRenderVisibleElements={isLarge}
        minZoom={MIN_ZOOM}
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
        {hasMap && (
          <MiniMap
            pannable
            ariaLabel={texts.minimap}
            bgColor="var(--surface)"
            maskColor="color-mix(in srgb, var(--text-3) 22%, transparent)"
            style={MAP}
            nodeComponent={MapNode}
          />
        )}
      </ReactFlow>
      <div className="absolute bottom-2 left-2 flex rounded-sm border border-border bg-surface p-0.5">
        <IconButton
          label={texts.zoomGraphOut}
          className="!size-6"
          icon={<ZoomOut size={13} aria-hidden />}
          onClick={() => void zoomOut()}
        />
        <IconButton
          label={texts.zoomGraphIn}
          className="!size-6"
          icon={<ZoomIn size={13} aria-hidden />}
          onClick={() => void zoomIn()}
        />
        <IconButton
          label={texts.fitGraph}
          className="!size-6"
          icon={<Scan size={13} aria-hidden />}
          onClick={() => show(WHOLE)}
        />
        {isLarge && (
          <IconButton
            label={texts.showMinimap}
            aria-pressed={hasMap}
            className="!size-6"
            icon={<MapIcon size={13} aria-hidden />}
            onClick={() => setHasMap(!hasMap)}
          />
        )}
      </div>
    </div>
  );
});

function edgesOf(graph: readonly GraphNode[]): Edge[] {
  return graph.flatMap(({ id, needs }) =>
    needs.map((need) => ({ id: `${need}>${id}`, type: 'run', source: need, target: id })),
  );
}

/** An edge of the graph, styled by the statuses of its source node and target node. */
function RunEdge({ source, target, ...ends }: EdgeProps) {
  const from = useShown(source)?.status;
  const to = useShown(target)?.status;
  const [path] = getBezierPath(ends);
  return (
    <BaseEdge
      path={path}
      className={classes(
        (to === 'running' || to === 'retrying') && 'run-edge-active',
        (to === 'failed' || from === 'failed') && 'run-edge-failed',
        (to === 'skipped' || from === 'skipped') && 'run-edge-skipped',
      )}
    />
  );
}

/** A node in the minimap, colored by status so that failed and running nodes stand out. */
function MapNode({ id, x, y, width, height }: MiniMapNodeProps) {
  const tone = toneOf(useShown(id)?.status ?? 'pending');
  const fill = tone === 'idle' ? 'var(--control)' : `var(--${tone})`;
  return <rect x={x} y={y} width={width} height={height} rx={5} style={{ fill }} />;
}

function NodeBox({ id, data: { onSelect } }: NodeProps<RunNode>) {
  const now = useContext(Now);
  const shown = useShown(id);
  const selected = useIsSelected(id);
  if (shown === undefined) return null;
  const { node, status } = shown;
  const { icon: Icon, word } = STATUSES[status];
  const fraction = fractionOf(shown);
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
            {/* The node type is omitted beside an attempt number, because both do not fit. */}
            {status !== 'retrying' && !(status === 'failed' && node.maxAttempts > 1) && `${node.type} · `}
            <LiveDetail shown={shown} now={now} />
            <span className="sr-only">, {word}</span>
          </span>
        </span>
        {fraction !== null && (
          <span
            aria-hidden
            data-fraction={fraction}
            className="absolute bottom-0 left-[3px] h-[3px] bg-running"
            style={{ width: `calc((100% - 3px) * ${fraction})` }}
          />
        )}
      </button>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}
