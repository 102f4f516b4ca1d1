import './timeline.css';
import { type CSSProperties, type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { useNow } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { classes, LongList, useShortcut, useUrlSearch } from '../../ui/index.ts';
import type { NodesProps } from './nodes-props.ts';
import type { RunState } from './run-state.ts';
import { moved, scaled, type TimeWindow, windowOf, zoomOf } from './time-window.ts';
import { Lane, LANE_COLUMNS, LANE_HEIGHT } from './timeline-lane.tsx';
import { criticalPath, readyAt, type Tick, ticksOf } from './timeline-scale.ts';
import { TimelineZoom, ZOOM_STEPS } from './timeline-zoom.tsx';
import { type Brushed, useBrush } from './use-brush.ts';

interface TimelineProps extends NodesProps {
  readonly state: RunState;
}

export function Timeline(props: TimelineProps) {
  const isLive = props.state.startedAt !== null && props.state.endedAt === null;
  return isLive ? <LiveTimeline {...props} /> : <TimelineAt {...props} time={props.state.at} />;
}

/**
 * Milliseconds by which the end of the timeline may lag behind the latest event, because the clock advances only at
 * ticks.
 */
const LATE_MS = 200;

/**
 * Timeline of a live execution. Its scale follows the clock instead of each event, because every change of the scale
 * moves all bars.
 */
function LiveTimeline(props: TimelineProps) {
  const tick = useNow('live');
  const time = Math.min(props.now(), tick);
  return <TimelineAt {...props} time={Math.max(time, props.state.at - LATE_MS)} />;
}

/** Fraction of the visible time window by which an arrow key moves the window. */
const STEP = 0.25;

function TimelineAt({
  graph,
  nodes,
  state,
  selected,
  onSelect,
  now,
  time,
}: TimelineProps & { readonly time: number }) {
  const [search, change] = useUrlSearch();
  const axis = useRef<HTMLDivElement>(null);
  const length = lengthOf(state, time);
  const zoomed = windowOf(search['zoom']);
  const shown = zoomed ?? { from: 0, to: length };
  const show = (window: TimeWindow | null): void =>
    change({ zoom: window === null ? undefined : zoomOf(window, length) });
  const { brushed, handlers } = useBrush(axis, ({ from, to }) => {
    const size = shown.to - shown.from;
    show({ from: shown.from + from * size, to: shown.from + to * size });
  });
  const zoom = (factor: number | null): void => show(factor === null ? null : scaled(shown, factor, length));
  const zoomNow = useRef(zoom);
  useEffect(() => {
    zoomNow.current = zoom;
  });
  const onZoom = useCallback((factor: number | null) => zoomNow.current(factor), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Readonly<Record<string, () => void>> = {
      '+': () => zoom(ZOOM_STEPS.in),
      '=': () => zoom(ZOOM_STEPS.in),
      '-': () => zoom(ZOOM_STEPS.out),
      '0': () => show(null),
      ArrowLeft: () => show(moved(shown, -STEP, length)),
      ArrowRight: () => show(moved(shown, STEP, length)),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const ticks = ticksOf(shown);
  const scale = {
    '--from': shown.from,
    '--length': Math.max(1, shown.to - shown.from),
    '--now': length,
  } as CSSProperties;
  return (
    <section
      aria-label={texts.timeline}
      className="flex flex-col lg:min-h-0 lg:flex-1"
      style={scale}
      data-zoom={zoomed === null ? undefined : search['zoom']}
      {...handlers}
    >
      <div className={classes(LANE_COLUMNS, 'shrink-0 items-center border-b border-border')}>
        {LEGEND}
        {/* With `role="application"`, screen readers pass arrow keys to the page. The arrow keys pan the timeline. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <div
          ref={axis}
          role="application"
          aria-label={texts.timelineHelp}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onDoubleClick={() => show(null)}
          className="label num @container relative h-7 cursor-crosshair touch-none overflow-x-clip font-normal select-none"
        >
          {ticks.map(({ at, label }) => (
            <span
              key={at}
              className={classes(
                'absolute top-1.5 left-0 pl-1 whitespace-nowrap max-md:even:hidden',
                // On narrow screens, labels in the right part of the axis are hidden, because the end of the axis would
                // cut them.
                (at - shown.from) / (shown.to - shown.from) > 0.6 && 'max-md:hidden',
              )}
              style={{ translate: placeOf(at) }}
              hidden={(at - shown.from) / (shown.to - shown.from) > 0.9}
            >
              {label}
            </span>
          ))}
        </div>
        <TimelineZoom isZoomed={zoomed !== null} canZoom={state.startedAt !== null} onZoom={onZoom} />
      </div>
      <div className="overflow-y-auto max-lg:max-h-[60vh] lg:min-h-0 lg:flex-1">
        <div className="relative">
          <Lines ticks={ticks} brushed={brushed} />
          <Lanes
            graph={graph}
            nodes={nodes}
            runs={state.nodes}
            loops={state.loops}
            startedAt={state.startedAt}
            isOver={state.endedAt !== null}
            selected={selected}
            onSelect={onSelect}
            now={now}
          />
        </div>
      </div>
    </section>
  );
}

function lengthOf({ startedAt, endedAt }: RunState, time: number): number {
  return startedAt === null ? 1 : Math.max(1, (endedAt ?? time) - startedAt);
}

/**
 * CSS translation of a time on the axis. A changed `left` instead of `translate` would cause a layout shift at each
 * clock tick.
 */
function placeOf(at: number): string {
  return `calc((${at} - var(--from)) / var(--length) * 100cqw)`;
}

const LEGEND = (
  <p aria-hidden className="label flex items-center gap-1.5 truncate font-normal max-md:invisible">
    <span className="h-2 w-3 shrink-0 rounded-[2px] outline outline-text-2" />
    {texts.criticalPath}
    <span className="ml-2 h-2 w-3 shrink-0 rounded-[2px] border border-waiting bg-[repeating-linear-gradient(135deg,var(--waiting)_0_2px,transparent_2px_5px)]" />
    {texts.waits}
  </p>
);

interface LinesProps {
  readonly ticks: readonly Tick[];
  readonly brushed: Brushed | null;
}

function Lines({ ticks, brushed }: LinesProps) {
  return (
    <div aria-hidden className={classes(LANE_COLUMNS, 'pointer-events-none absolute inset-0')}>
      <span />
      <span className="@container relative overflow-x-clip">
        {ticks.map(({ at }) => (
          <span
            key={at}
            className="absolute inset-y-0 left-0 w-px bg-border"
            style={{ translate: placeOf(at) }}
          />
        ))}
        {brushed !== null && (
          <span
            data-brushed
            className="absolute inset-y-0 border-x border-accent bg-accent/15"
            style={{ left: `${brushed.from * 100}%`, width: `${(brushed.to - brushed.from) * 100}%` }}
          />
        )}
      </span>
    </div>
  );
}

/**
 * Number of rows of the timeline that the list renders as one block. Each rendered row costs time while its bars grow.
 */
const LANES_AT_ONCE = 10;

interface LanesProps extends NodesProps {
  readonly runs: RunState['nodes'];
  readonly loops: RunState['loops'];
  readonly startedAt: number | null;
  readonly isOver: boolean;
}

const Lanes = memo(function Lanes(props: LanesProps) {
  const { graph, nodes, runs, loops, startedAt, isOver, selected, onSelect, now } = props;
  const list = useRef<HTMLDivElement>(null);
  const path = useMemo(() => criticalPath(graph, runs), [graph, runs]);
  const move = useCallback((step: number): void => {
    const stops = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-focus]') ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  }, []);
  useShortcut('j', texts.nextNode, () => move(1));
  useShortcut('k', texts.previousNode, () => move(-1));
  const onKeyDown = useCallback(
    (event: KeyboardEvent): void => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    },
    [move],
  );
  const place = nodes.findIndex(({ node }) => node.id === selected);
  return (
    <div ref={list} className="relative">
      <LongList
        label={texts.nodesOnTimeline}
        count={nodes.length}
        rowHeight={LANE_HEIGHT}
        blockSize={LANES_AT_ONCE}
        margin={LANES_AT_ONCE * LANE_HEIGHT}
        kept={place === -1 ? null : place}
      >
        {(index) => {
          const shown = nodes[index];
          if (shown === undefined) return null;
          const { node, run } = shown;
          return (
            <Lane
              key={node.id}
              shown={shown}
              loop={loops.get(node.id)}
              startedAt={startedAt ?? 0}
              // A node that never started in an ended execution is not queued, so its row shows no bar for queued time.
              ready={isOver && run === undefined ? null : readyAt(node, runs, startedAt)}
              isCritical={path.has(node.id)}
              isSelected={selected === node.id}
              onSelect={onSelect}
              onKeyDown={onKeyDown}
              now={now}
            />
          );
        }}
      </LongList>
    </div>
  );
});
