import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, memo, useCallback, useMemo, useRef } from 'react';
import { useNow } from '../../format/index.ts';
import { classes, IconButton, useShortcut, useUrlSearch } from '../../ui/index.ts';
import type { NodesProps } from './nodes-props.ts';
import type { RunState } from './run-state.ts';
import { moved, scaled, type TimeWindow, windowOf, zoomOf } from './time-window.ts';
import { Lane, LANE_COLUMNS } from './timeline-lane.tsx';
import { criticalPath, readyAt, type Tick, ticksOf } from './timeline-scale.ts';
import { type Brushed, useBrush } from './use-brush.ts';

interface TimelineProps extends NodesProps {
  readonly state: RunState;
}

/** When each node was ready, ran and waited. Drawing over a stretch of it shows that stretch. */
export function Timeline(props: TimelineProps) {
  const isLive = props.state.startedAt !== null && props.state.endedAt === null;
  return isLive ? <LiveTimeline {...props} /> : <TimelineNow {...props} />;
}

/** Grows as time goes by. */
function LiveTimeline(props: TimelineProps) {
  useNow('live');
  return <TimelineNow {...props} />;
}

/** Zooming in and out halves and doubles; a step to the side moves by a quarter. */
const IN = 0.5;
const OUT = 2;
const STEP = 0.25;

function TimelineNow({ graph, nodes, state, selected, onSelect, now }: TimelineProps) {
  const [search, change] = useUrlSearch();
  const axis = useRef<HTMLDivElement>(null);
  const length = lengthOf(state, now);
  const zoomed = windowOf(search['zoom']);
  const shown = zoomed ?? { from: 0, to: length };
  const show = (window: TimeWindow | null): void =>
    change({ zoom: window === null ? undefined : zoomOf(window, length) });
  const { brushed, handlers } = useBrush(axis, ({ from, to }) => {
    const size = shown.to - shown.from;
    show({ from: shown.from + from * size, to: shown.from + to * size });
  });
  const zoom = (factor: number): void => show(scaled(shown, factor, length));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Readonly<Record<string, () => void>> = {
      '+': () => zoom(IN),
      '=': () => zoom(IN),
      '-': () => zoom(OUT),
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
      aria-label="Timeline"
      className="flex flex-col lg:min-h-0 lg:flex-1"
      style={scale}
      data-zoom={zoomed === null ? undefined : search['zoom']}
      {...handlers}
    >
      <div className={classes(LANE_COLUMNS, 'shrink-0 items-center border-b border-border')}>
        <Legend />
        {/* It moves by keys as what scrolls does. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <div
          ref={axis}
          role="group"
          aria-label="Time. Drag over a stretch to zoom into it. Arrow keys move it, plus and minus zoom, 0 shows all."
          tabIndex={0}
          onKeyDown={onKeyDown}
          onDoubleClick={() => show(null)}
          className="label num relative h-7 cursor-crosshair touch-none overflow-x-clip font-normal select-none"
        >
          {ticks.map(({ at, label }) => (
            <span
              key={at}
              className="absolute top-1.5 pl-1 whitespace-nowrap max-md:even:hidden"
              style={{ left: placeOf(at) }}
              hidden={(at - shown.from) / (shown.to - shown.from) > 0.9}
            >
              {label}
            </span>
          ))}
        </div>
        <div className="-mr-1 flex justify-end">
          {zoomed !== null && (
            <IconButton
              label="Show all of the time"
              className="!size-6"
              icon={<Maximize2 size={13} aria-hidden />}
              onClick={() => show(null)}
            />
          )}
          <IconButton
            label="Zoom out"
            className="!size-6"
            disabled={zoomed === null}
            icon={<ZoomOut size={13} aria-hidden />}
            onClick={() => zoom(OUT)}
          />
          <IconButton
            label="Zoom in"
            className="!size-6"
            disabled={state.startedAt === null}
            icon={<ZoomIn size={13} aria-hidden />}
            onClick={() => zoom(IN)}
          />
        </div>
      </div>
      <div className="overflow-y-auto max-lg:max-h-[60vh] lg:min-h-0 lg:flex-1">
        <div className="relative">
          <Lines ticks={ticks} brushed={brushed} />
          <Lanes
            graph={graph}
            nodes={nodes}
            runs={state.nodes}
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

/** Of the run so far, in milliseconds. */
function lengthOf({ startedAt, endedAt, at }: RunState, now: () => number): number {
  return startedAt === null ? 1 : Math.max(1, (endedAt ?? Math.max(now(), at)) - startedAt);
}

function placeOf(at: number): string {
  return `calc((${at} - var(--from)) / var(--length) * 100%)`;
}

function Legend() {
  return (
    <p aria-hidden className="label flex items-center gap-1.5 truncate font-normal max-md:invisible">
      <span className="h-2 w-3 shrink-0 rounded-[2px] outline outline-text-2" />
      critical path
      <span className="ml-2 h-2 w-3 shrink-0 rounded-[2px] border border-waiting bg-[repeating-linear-gradient(135deg,var(--waiting)_0_2px,transparent_2px_5px)]" />
      waits
    </p>
  );
}

interface LinesProps {
  readonly ticks: readonly Tick[];
  readonly brushed: Brushed | null;
}

function Lines({ ticks, brushed }: LinesProps) {
  return (
    <div aria-hidden className={classes(LANE_COLUMNS, 'pointer-events-none absolute inset-0')}>
      <span />
      <span className="relative overflow-x-clip">
        {ticks.map(({ at }) => (
          <span key={at} className="absolute inset-y-0 w-px bg-border" style={{ left: placeOf(at) }} />
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

interface LanesProps extends NodesProps {
  readonly runs: RunState['nodes'];
  readonly startedAt: number | null;
  readonly isOver: boolean;
}

const Lanes = memo(function Lanes(props: LanesProps) {
  const { graph, nodes, runs, startedAt, isOver, selected, onSelect, now } = props;
  const list = useRef<HTMLOListElement>(null);
  const path = useMemo(() => criticalPath(graph, runs), [graph, runs]);
  const move = useCallback((step: number): void => {
    const stops = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-focus]') ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  }, []);
  useShortcut('j', 'Next node', () => move(1));
  useShortcut('k', 'Previous node', () => move(-1));
  const onKeyDown = useCallback(
    (event: KeyboardEvent): void => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    },
    [move],
  );
  return (
    <ol ref={list} aria-label="Nodes in time" className="relative">
      {nodes.map((shown) => (
        <Lane
          key={shown.node.id}
          shown={shown}
          startedAt={startedAt ?? 0}
          // What had not begun when the run ended waits for nothing.
          ready={isOver && shown.run === undefined ? null : readyAt(shown.node, runs, startedAt)}
          isCritical={path.has(shown.node.id)}
          isSelected={selected === shown.node.id}
          onSelect={onSelect}
          onKeyDown={onKeyDown}
          now={now}
        />
      ))}
    </ol>
  );
});
