import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ActiveTime } from '../../../../src/active-time/index.ts';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import { absoluteTime, dateAndTime, duration, number, TRIGGERS, useNow } from '../../format/index.ts';
import { useLiveState } from '../../live/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { classes, shortId, Time, Tooltip } from '../../ui/index.ts';
import type { RunState } from './run-state.ts';
import { TraceId } from './trace-id.tsx';

interface RunStripProps {
  readonly run: ExecutionView;
  readonly state: RunState;
  /** Sequence number of the last event in the journal. */
  readonly last: number;
  /** Sequence number of the event that a replay shows; null if the page shows the live state. */
  readonly place: number | null;
}

export function RunStrip({ run, state, last, place }: RunStripProps) {
  const { startedAt, endedAt, progress } = state;
  // The start time is known before the first event is loaded. It is shown immediately, so that the row does
  // not become wider when the first event arrives.
  const shownStart =
    startedAt ?? (place === null && run.started_at !== null ? Date.parse(run.started_at) : null);
  return (
    <dl className="flex shrink-0 flex-wrap gap-x-7 gap-y-2 border-b border-border px-5 py-2.5">
      <Figure label={texts.started}>
        {shownStart === null ? (
          texts.notYet
        ) : (
          <Tooltip text={absoluteTime(shownStart)}>
            <time dateTime={new Date(shownStart).toISOString()}>{dateAndTime(shownStart)}</time>
          </Tooltip>
        )}
      </Figure>
      <Figure label={texts.duration} className="min-w-18">
        {startedAt === null ? (
          '–'
        ) : endedAt !== null ? (
          duration(endedAt - startedAt)
        ) : place !== null ? (
          duration(state.at - startedAt)
        ) : (
          <Counting since={startedAt} />
        )}
      </Figure>
      {state.active !== null && <ActiveFigures active={state.active} state={state} isLive={place === null} />}
      <Figure label={texts.nodes} className="min-w-10">
        {number(progress?.completed ?? 0)} / {number(progress?.total ?? run.progress.total)}
      </Figure>
      <Figure label={texts.trigger}>
        <Trigger run={run} />
      </Figure>
      <Figure label={texts.version}>{texts.versionTag(run.workflow_version)}</Figure>
      <Figure label={texts.events} className="min-w-44">
        <LiveWord last={last} isOver={endedAt !== null && place === null} place={place} />
      </Figure>
      <Figure label={texts.trace}>
        <TraceId id={run.trace_id} />
      </Figure>
      <Figure label={texts.replays} className="min-w-28">
        <Replays id={run.id} />
      </Figure>
      {state.recoveries > 0 && (
        <Figure label={texts.recovered}>
          {state.recoveries === 1 ? texts.recoveredOnce : texts.recoveredTimes(state.recoveries)}
        </Figure>
      )}
    </dl>
  );
}

interface ActiveFiguresProps {
  readonly active: ActiveTime;
  readonly state: RunState;
  readonly isLive: boolean;
}

/** Shows the used active time and the deadline of an execution whose timeout does not count waits. */
function ActiveFigures({ active, state, isLive }: ActiveFiguresProps) {
  const { usedMs, limitMs, since, deadlineAt } = active;
  return (
    <>
      <Figure label={texts.activeTime} className="min-w-24">
        {since !== null && isLive && state.endedAt === null ? (
          <Counting since={since - usedMs} />
        ) : (
          duration(usedMs)
        )}
        {texts.ofLimit(duration(limitMs))}
      </Figure>
      {deadlineAt !== null && (
        <Figure label={texts.deadline}>
          <Time value={new Date(deadlineAt).toISOString()} />
        </Figure>
      )}
    </>
  );
}

/** Shows what started the execution. If another execution started it, the text links to that other execution. */
function Trigger({ run: { trigger, retry_of, parent } }: { readonly run: ExecutionView }) {
  const from = retry_of ?? parent;
  if (from === undefined) return TRIGGERS[trigger.type];
  return (
    <Link to="/executions/$id" params={{ id: from }} className="text-accent hover:underline">
      {retry_of === null ? texts.execution : texts.retryOf} {shortId(from)}
    </Link>
  );
}

/** Link to the executions that retry or replay the given execution. */
function Replays({ id }: { readonly id: string }) {
  const { data } = useQuery(executionsQuery({ retry_of: id, limit: 1 }));
  const total = data?.pagination.total ?? 0;
  if (total === 0) return <span className="text-text-3">{texts.noReplays}</span>;
  return (
    <Link to="/executions" search={{ retry_of: id }} className="text-accent hover:underline">
      {texts.replayCount(total)}
    </Link>
  );
}

interface FigureProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

function Figure({ label, className, children }: FigureProps) {
  return (
    <div className={className}>
      <dt className="label font-normal">{label}</dt>
      <dd className="num font-medium whitespace-nowrap">{children}</dd>
    </div>
  );
}

function Counting({ since }: { readonly since: number }) {
  return duration(Math.max(0, useNow('live') - since));
}

interface LiveWordProps {
  readonly last: number;
  readonly isOver: boolean;
  readonly place: number | null;
}

function LiveWord({ last, isOver, place }: LiveWordProps) {
  const live = useLiveState();
  const [word, color] =
    place !== null
      ? [texts.shownTo(place), 'bg-idle']
      : isOver
        ? [texts.completeAt(last), 'bg-idle']
        : live === 'connected'
          ? [texts.liveAt(last), 'bg-completed']
          : [texts.connectingAt(last), 'bg-waiting'];
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={classes('size-2 rounded-full', color)} />
      <span data-live-at={last}>{word}</span>
    </span>
  );
}
