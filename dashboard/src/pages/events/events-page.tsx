import { Pause, Play, Unplug } from 'lucide-react';
import { useState } from 'react';
import type { WorkflowEvent } from '../../api/index.ts';
import { number } from '../../format/index.ts';
import { useLiveState } from '../../live/index.ts';
import { texts } from '../../texts/en/events.ts';
import {
  Button,
  EmptyState,
  ErrorNote,
  EventTable,
  type Filter,
  FilterBar,
  PageHeader,
  useListSearch,
  useShortcut,
} from '../../ui/index.ts';
import { type CutState, useCut } from './use-cut.ts';
import { useTail } from './use-tail.ts';

const TYPES: readonly WorkflowEvent['type'][] = [
  'workflow.queued',
  'workflow.started',
  'workflow.waiting',
  'workflow.paused',
  'workflow.resumed',
  'workflow.recovered',
  'workflow.completed',
  'workflow.failed',
  'workflow.cancelled',
  'workflow.node.started',
  'workflow.node.complete',
  'workflow.node.failed',
  'workflow.node.retrying',
  'workflow.node.skipped',
  'workflow.node.waiting',
  'workflow.node.progress',
];

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'type',
    label: texts.type,
    options: TYPES.map((value) => ({ value, label: value })),
  },
  { kind: 'text', name: 'run', label: texts.executionId },
];

export function EventsPage() {
  const search = useListSearch('type', 'run');
  const [paused, setPaused] = useState(false);
  const live = useLiveState();
  const { state, cut, saw } = useCut();
  const { type, run } = search.filters;
  const fits = (event: WorkflowEvent): boolean =>
    (type === undefined || event.type === type) &&
    (run === undefined || event.execution_id.includes(run.trim().toLowerCase()));
  const tail = useTail(paused, fits, ({ id }) => saw(id));
  // The list may contain events that arrived under an earlier filter. Therefore the page applies the current filter to
  // the list again.
  const events = search.isFiltered ? tail.events.filter(fits) : tail.events;
  const toggle = (): void => setPaused(!paused);
  useShortcut('p', paused ? texts.resumeShortcut : texts.pause, toggle);
  const isAway = state.kind === 'cut' || state.kind === 'resuming';
  return (
    <>
      <PageHeader
        title={texts.events}
        actions={
          <>
            <Button
              icon={paused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
              shortcut="P"
              onClick={toggle}
            >
              {paused
                ? tail.waiting === 0
                  ? texts.resume
                  : texts.resumeWaiting(number(tail.waiting))
                : texts.pause}
            </Button>
            <Button
              icon={<Unplug size={14} aria-hidden />}
              disabled={isAway || live !== 'connected' || tail.received === 0}
              title={tail.received === 0 ? texts.cutHint : undefined}
              onClick={cut}
            >
              {texts.cutConnection}
            </Button>
          </>
        }
      />
      <FilterBar search={search} filters={FILTERS}>
        <p className="num ml-auto text-text-2">
          {texts.summary(
            tail.received,
            tail.runs,
            <span className={tail.gaps === 0 ? 'text-completed' : 'text-failed'}>
              {tail.gaps === 0 ? texts.noGaps : texts.missing(tail.gaps)}
            </span>,
          )}
        </p>
      </FilterBar>
      <CutNote state={state} gaps={tail.gaps} />
      {events.length > 0 ? (
        <EventTable events={events} />
      ) : search.isFiltered ? (
        <EmptyState
          title={texts.noEventsMatch}
          action={<Button onClick={search.clearFilters}>{texts.clearFilters}</Button>}
        >
          {texts.matchingEventsAppear}
        </EmptyState>
      ) : (
        <EmptyState title={texts.waitingForEvents} docs="events">
          {texts.eventsAppear}
        </EmptyState>
      )}
    </>
  );
}

function CutNote({ state, gaps }: { readonly state: CutState; readonly gaps: number }) {
  if (state.kind === 'whole') return null;
  if (state.kind === 'failed')
    return (
      <div className="px-5 pt-3">
        <ErrorNote error={state.error} title={texts.couldNotCountMissed} />
      </div>
    );
  const isWell = state.kind === 'resumed' && gaps === 0;
  return (
    <p
      role="status"
      className={
        isWell
          ? 'num bg-completed-soft px-5 py-2 text-completed'
          : 'num bg-waiting-soft px-5 py-2 text-waiting'
      }
    >
      {wordsOf(state, gaps)}
    </p>
  );
}

function wordsOf(state: Exclude<CutState, { readonly kind: 'failed' | 'whole' }>, gaps: number): string {
  switch (state.kind) {
    case 'cut':
      return texts.connectionCut;
    case 'resuming':
      return texts.catchingUp(number(state.brought), state.missed);
    case 'resumed':
      return texts.caughtUp(state.missed, gaps);
  }
}
