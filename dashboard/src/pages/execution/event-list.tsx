import { useState } from 'react';
import type { WorkflowEvent } from '../../api/index.ts';
import { number, timeOfDay } from '../../format/index.ts';
import { Button, classes, JsonTree } from '../../ui/index.ts';

/** A list of thousands would make the page slow; the rest comes when it is asked for. */
const SHOWN = 100;

interface EventListProps {
  readonly events: readonly WorkflowEvent[];
  /** Shows the run as it was after this event. */
  readonly onGoTo: (sequence: number) => void;
}

/** Events, the latest first. */
export function EventList({ events, onGoTo }: EventListProps) {
  const [shown, setShown] = useState(SHOWN);
  const [open, setOpen] = useState<number | null>(null);
  if (events.length === 0) return <p className="text-text-2">Nothing has happened yet.</p>;
  return (
    <>
      <ol className="-mx-4">
        {events
          .slice(-shown)
          .toReversed()
          .map(({ sequence, type, created_at, data, attempt }) => (
            <li key={sequence} className="border-b border-border">
              <button
                type="button"
                aria-expanded={open === sequence}
                onClick={() => setOpen(open === sequence ? null : sequence)}
                className={classes(
                  'flex h-8 w-full items-center gap-2 px-4 text-left hover:bg-muted focus-visible:-outline-offset-2',
                  open === sequence && 'bg-muted',
                )}
              >
                <span className="mono num w-9 shrink-0 text-text-3">#{sequence}</span>
                <span className="min-w-0 flex-1 truncate">
                  {type.replace(/^workflow\./, '')}
                  {attempt !== null && attempt > 1 && (
                    <span className="text-text-3"> · attempt {attempt}</span>
                  )}
                </span>
                <time dateTime={created_at} className="mono num text-text-2">
                  {timeOfDay(created_at)}
                </time>
              </button>
              {open === sequence && (
                <div className="flex flex-col gap-2 px-4 pb-3">
                  <JsonTree value={data} label={`data of event ${sequence}`} />
                  <Button className="self-start" onClick={() => onGoTo(sequence)}>
                    Show the run at #{sequence}
                  </Button>
                </div>
              )}
            </li>
          ))}
      </ol>
      {events.length > shown && (
        <Button kind="quiet" className="mt-2" onClick={() => setShown(shown + SHOWN)}>
          Show {Math.min(SHOWN, events.length - shown)} more of {number(events.length)}
        </Button>
      )}
    </>
  );
}
