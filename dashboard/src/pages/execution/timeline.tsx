import { type KeyboardEvent, useRef } from 'react';
import { duration, useNow } from '../../format/index.ts';
import { classes, STATUSES, useShortcut } from '../../ui/index.ts';
import type { NodesProps } from './nodes-props.ts';
import type { Segment } from './node-run.ts';
import { lengthOf, type ShownNode, TONE_TEXT, toneOf } from './node-words.ts';
import type { RunState } from './run-state.ts';
import { criticalPath, readyAt, ticksOf } from './timeline-scale.ts';

/** Name, lane, length; narrow screens give the lane what they can. */
const ROW = 'grid grid-cols-[112px_minmax(0,1fr)_64px] gap-x-0 px-5 md:grid-cols-[220px_minmax(0,1fr)_70px]';
/** A bar is to be seen, however short. */
const LEAST_PERCENT = 0.4;

interface TimelineProps extends NodesProps {
  readonly state: RunState;
}

/** When each node was ready, ran and waited. */
export function Timeline(props: TimelineProps) {
  const isLive = props.state.startedAt !== null && props.state.endedAt === null;
  return isLive ? <LiveTimeline {...props} /> : <Lanes {...props} />;
}

/** Grows as time goes by. */
function LiveTimeline(props: TimelineProps) {
  useNow('live');
  return <Lanes {...props} />;
}

function Lanes({ graph, nodes, state, selected, onSelect, now }: TimelineProps) {
  const list = useRef<HTMLOListElement>(null);
  const from = state.startedAt ?? 0;
  const length = Math.max(1, (state.endedAt ?? Math.max(now(), state.at)) - from);
  const scale = { from, length, now: from + length };
  const path = criticalPath(graph, state.nodes);
  const move = (step: number): void => {
    const stops = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-focus]') ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  };
  useShortcut('j', 'Next node', () => move(1));
  useShortcut('k', 'Previous node', () => move(-1));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  };
  const ticks = ticksOf(length);
  return (
    <section aria-label="Timeline" className="flex flex-col lg:min-h-0 lg:flex-1">
      <div
        aria-hidden
        className={classes(ROW, 'label num h-6 shrink-0 items-center border-b border-border font-normal')}
      >
        <span className="flex items-center gap-1.5 truncate max-md:invisible">
          <span className="h-2 w-3 rounded-[2px] outline outline-text-2" />
          critical path
        </span>
        <span className="relative h-4">
          {ticks.map((tick) => (
            <span
              key={tick}
              className="absolute pl-1 whitespace-nowrap max-md:even:hidden"
              style={{ left: `${(tick / length) * 100}%` }}
              hidden={tick / length > 0.92}
            >
              {tick === 0 ? '0' : duration(tick)}
            </span>
          ))}
        </span>
      </div>
      <div className="lg:min-h-0 lg:flex-1 lg:overflow-y-auto">
        <div className="relative">
          <div aria-hidden className={classes(ROW, 'pointer-events-none absolute inset-0')}>
            <span />
            <span className="relative">
              {ticks.map((tick) => (
                <span
                  key={tick}
                  className="absolute inset-y-0 w-px bg-border"
                  style={{ left: `${(tick / length) * 100}%` }}
                />
              ))}
            </span>
          </div>
          <ol ref={list} aria-label="Nodes in time" className="relative">
            {nodes.map((shown) => (
              <Lane
                key={shown.node.id}
                shown={shown}
                scale={scale}
                ready={readyAt(shown.node, state.nodes, state.startedAt)}
                isCritical={path.has(shown.node.id)}
                isSelected={selected === shown.node.id}
                onSelect={onSelect}
                onKeyDown={onKeyDown}
              />
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}

interface Scale {
  readonly from: number;
  readonly length: number;
  /** Where what lasts has come to. */
  readonly now: number;
}

interface LaneProps {
  readonly shown: ShownNode;
  readonly scale: Scale;
  readonly ready: number | null;
  readonly isCritical: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (key: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function Lane({ shown, scale, ready, isCritical, isSelected, onSelect, onKeyDown }: LaneProps) {
  const { node, run, status } = shown;
  const { icon: Icon, word } = STATUSES[status];
  const length = lengthOf(run, scale.now);
  const begun = run?.segments[0]?.from ?? null;
  const queuedTo = begun ?? (ready !== null && status === 'pending' ? scale.now : null);
  return (
    <li
      className={classes(
        ROW,
        'relative h-8 items-center border-b border-border hover:bg-muted',
        isSelected && 'bg-muted',
      )}
    >
      <button
        type="button"
        data-row-focus
        aria-pressed={isSelected}
        title={run?.segments.map(segmentWord).join(', then ')}
        onClick={() => onSelect(node.id)}
        onKeyDown={onKeyDown}
        className="flex min-w-0 items-center gap-2 pr-2 text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <Icon size={12} aria-hidden className={classes('shrink-0', TONE_TEXT[toneOf(status)])} />
        <span className="truncate">{node.name}</span>
        <span className="sr-only">, {word}</span>
      </button>
      <span className="relative h-2.5">
        {ready !== null && queuedTo !== null && queuedTo > ready && (
          <Bar scale={scale} from={ready} to={queuedTo} className="rounded-[3px] bg-idle opacity-30" />
        )}
        {run?.segments.map((segment) => (
          <Bar
            key={`${segment.kind}${segment.from}`}
            scale={scale}
            from={segment.from}
            to={segment.to ?? scale.now}
            className={classes(
              'rounded-[3px]',
              segmentLook(segment),
              isCritical && 'outline outline-offset-1 outline-text-2',
            )}
          />
        ))}
      </span>
      <span className="mono num text-right whitespace-nowrap">
        {length === null ? <span className="text-text-3">{word.toLowerCase()}</span> : duration(length)}
      </span>
    </li>
  );
}

interface BarProps {
  readonly scale: Scale;
  readonly from: number;
  readonly to: number;
  readonly className: string;
}

function Bar({ scale, from, to, className }: BarProps) {
  const left = ((from - scale.from) / scale.length) * 100;
  const width = Math.max(((to - from) / scale.length) * 100, LEAST_PERCENT);
  return (
    <span
      aria-hidden
      className={classes('absolute inset-y-0', className)}
      style={{ left: `${Math.max(0, Math.min(left, 100 - LEAST_PERCENT))}%`, width: `${width}%` }}
    />
  );
}

/** Waiting for the next attempt is hatched. */
const HATCH =
  'bg-[repeating-linear-gradient(135deg,var(--waiting)_0_2px,transparent_2px_6px)] border border-waiting';

function segmentLook({ kind, outcome }: Segment): string {
  if (kind === 'retry') return HATCH;
  if (kind === 'wait') return 'bg-waiting';
  if (outcome === 'failed') return 'bg-failed';
  if (outcome === 'running') return 'bg-running';
  if (outcome === 'completed' || outcome === 'suspended') return 'bg-completed';
  return 'bg-idle';
}

function segmentWord({ kind, attempt, outcome, from, to }: Segment): string {
  const length = to === null ? '' : ` ${duration(to - from)}`;
  if (kind === 'retry') return `waited${length} for the next attempt`;
  if (kind === 'wait') return `waited${length}`;
  return `attempt ${attempt} ${outcome}${length}`;
}
