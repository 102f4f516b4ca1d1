import { memo, useState } from 'react';
import type { WorkflowEvent } from '../../api/index.ts';
import { timeOfDay } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { Button, classes, JsonTree, LongList } from '../../ui/index.ts';

const ROW = 33;

interface EventListProps {
  readonly events: readonly WorkflowEvent[];
  /**
   * Called with the sequence number of an event when the user wants to see the state of the execution after
   * that event.
   */
  readonly onGoTo: (sequence: number) => void;
}

export function EventList({ events, onGoTo }: EventListProps) {
  const [open, setOpen] = useState<number | null>(null);
  if (events.length === 0) return <p className="text-text-2">{texts.noEventsYet}</p>;
  const place = open === null ? -1 : events.findIndex(({ sequence }) => sequence === open);
  return (
    <div className="-mx-4">
      <LongList
        label={texts.eventCount(events.length)}
        count={events.length}
        rowHeight={ROW}
        isReversed
        kept={place === -1 ? null : place}
      >
        {(index) => {
          const event = events[index];
          if (event === undefined) return null;
          const isOpen = event.sequence === open;
          return <Row key={event.id} event={event} isOpen={isOpen} onOpen={setOpen} onGoTo={onGoTo} />;
        }}
      </LongList>
    </div>
  );
}

interface RowProps {
  readonly event: WorkflowEvent;
  readonly isOpen: boolean;
  readonly onOpen: (sequence: number | null) => void;
  readonly onGoTo: (sequence: number) => void;
}

const Row = memo(function Row({ event, isOpen, onOpen, onGoTo }: RowProps) {
  const { sequence, type, node_id, created_at, data, attempt } = event;
  return (
    <li className="border-b border-border">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onOpen(isOpen ? null : sequence)}
        className={classes(
          'flex h-8 w-full items-center gap-2 px-4 text-left hover:bg-muted focus-visible:-outline-offset-2',
          isOpen && 'bg-muted',
        )}
      >
        <span className="mono num min-w-9 shrink-0 text-text-3">#{sequence}</span>
        <span className="min-w-0 flex-1 truncate">
          {type.replace(/^workflow\./, '')}
          {node_id !== null && <span className="text-text-3"> · {node_id}</span>}
          {attempt !== null && attempt > 1 && (
            <span className="text-text-3">{texts.attemptSuffix(attempt)}</span>
          )}
        </span>
        <time dateTime={created_at} className="mono num text-text-2">
          {timeOfDay(created_at)}
        </time>
      </button>
      {isOpen && (
        <div className="flex flex-col gap-2 px-4 pb-3">
          <JsonTree value={data} label={texts.dataOfEvent(sequence)} />
          <Button className="self-start" onClick={() => onGoTo(sequence)}>
            {texts.showAtEvent(sequence)}
          </Button>
        </div>
      )}
    </li>
  );
});
