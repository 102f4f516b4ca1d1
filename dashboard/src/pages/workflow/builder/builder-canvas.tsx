import '@xyflow/react/dist/base.css';
import './builder.css';
import {
  Background,
  type Connection,
  type Edge,
  MiniMap,
  type Node,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import {
  type DragEvent,
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { firstView } from '../../../graph/first-view.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';
import { IconButton } from '../../../ui/index.ts';
import { BuilderEdge } from './builder-edge.tsx';
import {
  type BuilderLayout,
  type Direction,
  neighborOf,
  type PlacedEdge,
  type PlacedNode,
} from './builder-layout.ts';
import { BuilderNode, type BuilderNodeData } from './builder-node.tsx';
import { type Address, addressKey, addressOf } from './definition.ts';
import { loopAt } from './drop-place.ts';

/** Data type of a drag-and-drop operation that drags a node type from the palette to the graph. */
export const DRAGGED_TYPE = 'application/x-workflow-node-type';

/**
 * Removes the attribute `aria-roledescription` that React Flow sets on nodes. ARIA forbids the attribute on elements
 * without a role.
 */
const PLAIN_NODE = { 'aria-roledescription': undefined };
const NODE_TYPES = { step: memo(BuilderNode), loop: memo(BuilderNode) };
const EDGE_TYPES = { builder: memo(BuilderEdge) };
const FIT = { padding: 0.12, maxZoom: 1 } as const;
const FIRST_VIEW = { padding: 24, wholeFrom: 0.4, readable: 0.7 };
/** Minimum number of nodes for which the graph has a minimap. */
const MAP_FROM = 21;
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

export interface CanvasActions {
  /**
   * @param adding whether other nodes stay selected
   */
  readonly select: (key: string, adding: boolean) => void;
  readonly selectNone: () => void;
  readonly connect: (from: Address, to: Address) => void;
  readonly disconnect: (edge: PlacedEdge) => void;
  readonly add: (type: string, loop: string | null, after: string | null) => void;
  readonly move: (address: Address, loop: string | null) => void;
  readonly removeSelected: () => void;
  readonly copySelected: () => string | null;
  readonly paste: (text: string) => void;
}

interface BuilderCanvasProps {
  readonly layout: BuilderLayout;
  readonly selected: ReadonlySet<string>;
  /** Number of problems in each node, by the key of the node. */
  readonly problems: ReadonlyMap<string, number>;
  readonly actions: CanvasActions;
  readonly readOnly: boolean;
}

export function BuilderCanvas(props: BuilderCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

type FlowNode = Node<BuilderNodeData>;

function Canvas({ layout, selected, problems, actions, readOnly }: BuilderCanvasProps) {
  const pane = useRef<HTMLDivElement>(null);
  const flow = useReactFlow();
  const [dragged, setDragged] = useState<Pick<FlowNode, 'id' | 'position'> | null>(null);
  const [chosenEdge, setChosenEdge] = useState<string | null>(null);
  /** Key of the start node while the user draws a connection by keyboard; otherwise null. */
  const [from, setFrom] = useState<string | null>(null);
  const isLarge = layout.nodes.length >= MAP_FROM;
  const latest = useRef({ actions, from });
  useEffect(() => {
    latest.current = { actions, from };
  });
  const onSelect = useCallback((key: string, adding: boolean): void => {
    const { actions: now, from: start } = latest.current;
    setChosenEdge(null);
    if (start === null) now.select(key, adding);
    else {
      setFrom(null);
      now.connect(addressOf(start), addressOf(key));
    }
  }, []);
  const drawn = useMemo(
    () =>
      layout.nodes.map((placed): FlowNode => ({
        id: placed.key,
        type: placed.isLoop ? 'loop' : 'step',
        position: { x: placed.x, y: placed.y },
        width: placed.width,
        height: placed.height,
        draggable: !readOnly && !placed.isLoop,
        connectable: !readOnly,
        domAttributes: PLAIN_NODE,
        ...(placed.address.loop === null ? {} : { parentId: placed.address.loop }),
        data: {
          placed,
          isSelected: selected.has(placed.key),
          problems: problems.get(placed.key) ?? 0,
          onSelect,
        },
      })),
    [layout, selected, problems, readOnly, onSelect],
  );
  const nodes = useMemo(
    () =>
      dragged === null
        ? drawn
        : drawn.map((node) =>
            node.id === dragged.id ? { ...node, position: dragged.position, zIndex: 1000 } : node,
          ),
    [drawn, dragged],
  );
  const edges = useMemo(
    () =>
      layout.edges.map((placed): Edge => ({
        id: placed.id,
        type: 'builder',
        source: addressKey(placed.from),
        target: addressKey(placed.to),
        selected: placed.id === chosenEdge,
        ...(placed.referenced ? { className: 'builder-edge-referenced' } : {}),
        data: {
          condition: placed.condition,
          onRemove: readOnly || placed.referenced ? null : () => actions.disconnect(placed),
        },
      })),
    [layout, chosenEdge, actions, readOnly],
  );
  useShown(layout, selected);
  const begin = (): void => {
    const { clientWidth = 0, clientHeight = 0 } = pane.current ?? {};
    const bounds = flow.getNodesBounds(drawn.filter(({ parentId }) => parentId === undefined));
    if (drawn.length > 0)
      void flow.setViewport(firstView(bounds, { width: clientWidth, height: clientHeight }, FIRST_VIEW));
  };
  const latestBegin = useRef(begin);
  useEffect(() => {
    latestBegin.current = begin;
  });
  useEffect(() => {
    const show = (): void => latestBegin.current();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, []);
  const follow = (changes: readonly NodeChange<FlowNode>[]): void => {
    for (const change of changes)
      if (change.type === 'position' && change.dragging === true && change.position !== undefined)
        setDragged({ id: change.id, position: change.position });
  };
  /**
   * When a node outside the view gets the focus, the browser scrolls the canvas. `pan` undoes the scrolling and moves
   * the graph instead.
   */
  const pan = (scrolled: HTMLElement): void => {
    const { scrollLeft, scrollTop } = scrolled;
    if (scrollLeft === 0 && scrollTop === 0) return;
    const { x, y, zoom } = flow.getViewport();
    scrolled.scrollTo(0, 0);
    void flow.setViewport({ x: x - scrollLeft, y: y - scrollTop, zoom });
  };
  const drop = (event: MouseEvent | TouchEvent, { id }: FlowNode): void => {
    setDragged(null);
    const point = 'clientX' in event ? event : event.changedTouches[0];
    if (point === undefined) return;
    const address = addressOf(id);
    const loop = loopAt(layout, flow.screenToFlowPosition({ x: point.clientX, y: point.clientY }));
    if (loop !== address.loop && loop !== id) actions.move(address, loop);
  };
  const dropType = (event: DragEvent): void => {
    const type = event.dataTransfer.getData(DRAGGED_TYPE);
    if (type === '' || readOnly) return;
    event.preventDefault();
    actions.add(
      type,
      loopAt(layout, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY })),
      null,
    );
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = focusedKey(event.target);
    const act = keyAction(event.key, key);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const keyAction = (pressed: string, key: string | undefined): (() => void) | undefined => {
    const direction = ARROWS[pressed];
    if (direction !== undefined && key !== undefined) {
      const next = neighborOf(layout.nodes, key, direction);
      return () => next !== undefined && focusNode(pane.current, next);
    }
    switch (pressed) {
      case 'Delete':
      case 'Backspace':
        return readOnly ? undefined : actions.removeSelected;
      case 'Escape':
        return from === null ? actions.selectNone : () => setFrom(null);
      case 'c':
        return readOnly || key === undefined ? undefined : () => setFrom(key);
      case '+':
      case '=':
        return () => void flow.zoomIn();
      case '-':
        return () => void flow.zoomOut();
      case '0':
        return () => void flow.fitView(FIT);
      default:
        return undefined;
    }
  };
  return (
    // The canvas element handles the keys and drops for all nodes inside the canvas.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={pane}
      role="group"
      aria-label={texts.graphHelp}
      tabIndex={-1}
      onKeyDown={press}
      onScrollCapture={({ target }) => target instanceof HTMLElement && pan(target)}
      onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED_TYPE) && event.preventDefault()}
      onDrop={dropType}
      onCopy={(event) => {
        const text = actions.copySelected();
        if (text === null) return;
        event.clipboardData.setData('text/plain', text);
        event.preventDefault();
      }}
      onPaste={(event) => {
        if (readOnly) return;
        event.preventDefault();
        actions.paste(event.clipboardData.getData('text/plain'));
      }}
      className="builder-graph relative size-full outline-none"
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={follow}
        onNodeDragStop={drop}
        onConnect={({ source, target }: Connection) => actions.connect(addressOf(source), addressOf(target))}
        isValidConnection={({ source, target }) => addressOf(source).loop === addressOf(target).loop}
        onEdgeClick={(_, { id }) => setChosenEdge(id)}
        onPaneClick={() => {
          setChosenEdge(null);
          setFrom(null);
          actions.selectNone();
        }}
        onInit={begin}
        onlyRenderVisibleElements={isLarge}
        minZoom={0.2}
        maxZoom={1.5}
        nodeDragThreshold={4}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        disableKeyboardA11y
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={16} size={1.5} color="var(--border)" />
        {isLarge && (
          <MiniMap
            pannable
            ariaLabel={texts.minimap}
            bgColor="var(--surface)"
            nodeColor="var(--control)"
            maskColor="color-mix(in srgb, var(--text-3) 22%, transparent)"
            style={{ width: 132, height: 76 }}
          />
        )}
      </ReactFlow>
      <div className="absolute bottom-3 left-3 z-10 flex rounded-md border border-border bg-surface">
        <IconButton label={texts.zoomIn} icon={<ZoomIn size={14} />} onClick={() => void flow.zoomIn()} />
        <IconButton label={texts.zoomOut} icon={<ZoomOut size={14} />} onClick={() => void flow.zoomOut()} />
        <IconButton label={texts.fit} icon={<Maximize size={14} />} onClick={() => void flow.fitView(FIT)} />
      </div>
      <p role="status">
        {from !== null && (
          <span className="absolute top-3 left-1/2 z-10 -translate-x-1/2 rounded-md border border-accent bg-surface px-3 py-1">
            {texts.connectingFrom(addressOf(from).id)}
          </span>
        )}
      </p>
    </div>
  );
}

/** Moves the graph so that the selected node is visible. If several nodes are selected, the graph does not move. */
function useShown({ nodes }: BuilderLayout, selected: ReadonlySet<string>): void {
  const flow = useReactFlow();
  const [only] = selected.size === 1 ? selected : [];
  const node = nodes.find(({ key }) => key === only);
  const isFirst = nodes.length === 1;
  useEffect(() => {
    if (node === undefined) return;
    const internal = flow.getInternalNode(node.key);
    const bounds = document.querySelector('.builder-graph')?.getBoundingClientRect();
    if (internal === undefined || bounds === undefined) return;
    const { x, y } = internal.internals.positionAbsolute;
    const corner = flow.flowToScreenPosition({ x, y });
    const end = flow.flowToScreenPosition({ x: x + node.width, y: y + Math.min(node.height, 60) });
    const isSeen =
      corner.x >= bounds.left && end.x <= bounds.right && corner.y >= bounds.top && end.y <= bounds.bottom;
    if (isFirst) void flow.fitView(FIT);
    else if (!isSeen) void flow.setCenter(x + node.width / 2, y + node.height / 2, { zoom: flow.getZoom() });
  }, [flow, node, isFirst]);
}

function focusedKey(target: EventTarget): string | undefined {
  return target instanceof HTMLElement ? target.dataset['node'] : undefined;
}

function focusNode(pane: HTMLElement | null, { key }: PlacedNode): void {
  pane?.querySelector<HTMLElement>(`[data-node="${key}"]`)?.focus();
}
