import { Link } from '@tanstack/react-router';
import { absoluteTime, duration, useNow } from '../../format/index.ts';
import { buttonClasses, Id } from '../../ui/index.ts';
import type { Waiting } from './node-run.ts';

interface WaitingNoteProps {
  readonly waiting: Waiting;
  readonly now: () => number;
}

/** What a node waits for, and what would let it go on. */
export function WaitingNote({ waiting, now }: WaitingNoteProps) {
  const { kind, wakeAt, signal, childId, title, description, approveUrl, rejectUrl } = waiting;
  return (
    <div className="flex flex-col gap-2 rounded-md bg-waiting-soft px-3 py-2 text-waiting">
      {approveUrl !== null ? (
        <p className="font-medium">{title ?? 'Waits for an approval.'}</p>
      ) : signal !== null ? (
        <p>
          Waits for the signal <code className="mono">{signal}</code>. It goes on once somebody sends it.
        </p>
      ) : childId !== null ? (
        <p>
          Waits for the run{' '}
          <Link to="/executions/$id" params={{ id: childId }} className="underline">
            <Id value={childId} of="the child run" />
          </Link>{' '}
          that it started.
        </p>
      ) : kind === 'retry' ? (
        <p>Waits for its next attempt.</p>
      ) : (
        <p>Waits for a set time.</p>
      )}
      {description !== null && <p>{description}</p>}
      {wakeAt !== null && <Left until={wakeAt} now={now} />}
      {(approveUrl !== null || rejectUrl !== null) && (
        <p className="flex gap-2">
          {approveUrl !== null && (
            <a href={approveUrl} rel="noreferrer" className={buttonClasses()}>
              Approve
            </a>
          )}
          {rejectUrl !== null && (
            <a href={rejectUrl} rel="noreferrer" className={buttonClasses({ kind: 'danger' })}>
              Reject
            </a>
          )}
        </p>
      )}
    </div>
  );
}

function Left({ until, now }: { readonly until: number; readonly now: () => number }) {
  useNow('live');
  const left = until - now();
  return (
    <p className="num">
      {left > 0 ? `${duration(left)} left, until ` : 'Due since '}
      <time dateTime={new Date(until).toISOString()}>{absoluteTime(until)}</time>
    </p>
  );
}
