import { type CSSProperties, type KeyboardEvent, memo, useMemo } from 'react';
import { duration, number, useNow } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { classes, STATUSES } from '../../ui/index.ts';
import { densityBackground, densityOf } from './loop-density.ts';
import type { LoopRun } from './loop-run.ts';
import type { Segment } from './node-run.ts';
import { lengthOf, type ShownNode, TONE_TEXT, toneOf } from './node-words.ts';

/**
 * Grid columns of a row in the timeline: node name, bars and duration. On narrow screens, the fixed columns are smaller
 * to leave space for the bars.
 */
export const LANE_COLUMNS =
  'grid grid-cols-[112px_minmax(0,1fr)_76px] px-5 md:grid-cols-[220px_minmax(0,1fr)_84px]';
/** Height of a row in the timeline, in pixels. */
export const LANE_HEIGHT = 32;

interface LaneProps {
  readonly shown: ShownNode;
  readonly loop: LoopRun | undefined;
  /** Start of the execution in epoch milliseconds, which is the zero of the time axis. */
  readonly startedAt: number;
  /**
   * Time at which the last dependency of the node ended, in epoch milliseconds; null if the node is not ready to start.
   */
  readonly ready: number | null;
  readonly isCritical: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (key: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly now: () => number;
}

/**
 * A row of the timeline with the bars of one node. CSS variables position the bars, so that the row need not render
 * again as time passes.
 */
export const Lane = memo(function Lane({
  shown,
  loop,
  startedAt,
  ready,
  isCritical,
  isSelected,
  onSelect,
  onKeyDown,
  now,
}: LaneProps) {
  const { node, run, status } = shown;
  const { icon: Icon, word } = STATUSES[status];
  const begun = run?.segments[0]?.from ?? null;
  const density = useMemo(
    () => (loop === undefined || begun === null ? null : densityOf(loop, begun, node.body.length)),
    [loop, begun, node],
  );
  const isQueued = ready !== null && (begun === null ? status === 'pending' : begun > ready);
  return (
    <li
      className={classes(
        LANE_COLUMNS,
        'relative h-8 items-center border-b border-border hover:bg-muted',
        isSelected && 'bg-muted',
      )}
    >
      <button
        type="button"
        data-row-focus
        aria-pressed={isSelected}
        title={titleOf(shown, loop)}
        onClick={() => onSelect(node.id)}
        onKeyDown={onKeyDown}
        className="flex min-w-0 items-center gap-2 pr-2 text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <Icon size={12} aria-hidden className={classes('shrink-0', TONE_TEXT[toneOf(status)])} />
        <span className="truncate">{node.name}</span>
        <span className="sr-only">, {word}</span>
      </button>
      <span className="@container relative h-2.5 overflow-x-clip">
        {isQueued && (
          <Bar
            from={ready - startedAt}
            to={begun === null ? null : begun - startedAt}
            className="bg-idle opacity-30"
          />
        )}
        {run?.segments.map((segment) => (
          <Bar
            key={`${segment.kind}${segment.from}`}
            from={segment.from - startedAt}
            to={segment.to === null ? null : segment.to - startedAt}
            className={classes(
              density !== null && segment.kind === 'run' ? 'bg-border' : segmentLook(segment),
              isCritical && 'outline outline-offset-1 outline-text-2',
            )}
          />
        ))}
        {density !== null && begun !== null && (
          <Bar
            from={begun - startedAt}
            to={density.to - startedAt}
            className="loop-density"
            background={densityBackground(density)}
          />
        )}
      </span>
      <span className="mono num text-right whitespace-nowrap">
        <Length shown={shown} now={now} />
      </span>
    </li>
  );
});

interface LengthProps {
  readonly shown: ShownNode;
  readonly now: () => number;
}

/** Shows the duration of a node. A node that has not started shows its status instead. */
function Length({ shown, now }: LengthProps) {
  const last = shown.run?.segments.at(-1);
  if (last === undefined)
    return <span className="text-text-3">{texts.statusInLine(STATUSES[shown.status].word)}</span>;
  return last.to === null ? <Counting shown={shown} now={now} /> : duration(lengthOf(shown.run, 0) ?? 0);
}

function Counting({ shown, now }: LengthProps) {
  useNow('live');
  return duration(lengthOf(shown.run, now()) ?? 0);
}

interface BarProps {
  readonly from: number;
  readonly to: number | null;
  readonly className: string;
  readonly background?: string;
}

function Bar({ from, to, className, background }: BarProps) {
  return (
    <span
      aria-hidden
      className={classes('timeline-bar absolute inset-y-0 left-0 rounded-[3px]', className)}
      style={{ '--at': from, '--to': to ?? undefined, background } as CSSProperties}
    />
  );
}

/** CSS classes for the hatched bar of a wait. The bar of a backoff uses the same classes, but is fainter. */
const HATCH =
  'border border-waiting bg-[repeating-linear-gradient(135deg,var(--waiting)_0_2px,transparent_2px_5px)]';

function segmentLook({ kind, outcome }: Segment): string {
  if (kind === 'retry') return `${HATCH} opacity-60`;
  if (kind === 'wait') return HATCH;
  if (outcome === 'failed') return 'bg-failed';
  if (outcome === 'running') return 'bg-running';
  if (outcome === 'completed' || outcome === 'suspended') return 'bg-completed';
  return 'bg-idle';
}

function titleOf({ run, itemsDone }: ShownNode, loop: LoopRun | undefined): string | undefined {
  const words = run?.segments.map(segmentWord).join(', then ');
  const items = run?.items ?? null;
  if (loop === undefined || items === null) return words;
  const failed = loop.failed > 0 ? texts.itemsFailed(number(loop.failed)) : '';
  return `${words}. ${texts.itemsDone(number(itemsDone), number(items), failed)}`;
}

function segmentWord({ kind, attempt, outcome, from, to }: Segment): string {
  const length = to === null ? '' : ` ${duration(to - from)}`;
  if (kind === 'retry') return texts.waitedForNextAttempt(length);
  if (kind === 'wait') return texts.waited(length);
  return texts.attemptOutcome(attempt, outcome, length);
}
