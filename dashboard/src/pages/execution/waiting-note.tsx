import { useState } from 'react';
import { absoluteTime, duration, useNow } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { Button, CopyIcon } from '../../ui/index.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import type { Waiting } from './node-run.ts';
import { RunLink } from './run-link.tsx';
import { SignalDialog } from './signal-dialog.tsx';

interface WaitingNoteProps {
  readonly executionId: string;
  readonly waiting: Waiting;
  /** Whether the user can end the wait; false in a replay, which shows a past state. */
  readonly canAct: boolean;
  readonly now: () => number;
}

/** Shows what a node waits for, with buttons that end the wait. */
export function WaitingNote({ executionId, waiting, canAct, now }: WaitingNoteProps) {
  const { wakeAt, signal, title, description, approveUrl, rejectUrl } = waiting;
  const [asked, setAsked] = useState<'approve' | 'reject' | 'signal' | null>(null);
  const isApproval = approveUrl !== null && rejectUrl !== null;
  return (
    <div className="flex flex-col gap-2 rounded-md bg-waiting-soft px-3 py-2 text-waiting">
      <Reason waiting={waiting} />
      {description !== null && <p>{description}</p>}
      {wakeAt !== null && <Left until={wakeAt} now={now} />}
      {canAct && isApproval && (
        <p className="flex flex-wrap items-center gap-2">
          <Button needsService onClick={() => setAsked('approve')}>
            {texts.approve}
          </Button>
          <Button kind="danger" onClick={() => setAsked('reject')}>
            {texts.reject}
          </Button>
          <CopyIcon value={approveUrl} label={texts.copyApprovalLink} />
        </p>
      )}
      {canAct && title === null && signal !== null && (
        <Button needsService className="self-start" onClick={() => setAsked('signal')}>
          {texts.sendSignal}
        </Button>
      )}
      {isApproval && (asked === 'approve' || asked === 'reject') && (
        <DecisionDialog
          title={title ?? texts.thisApproval}
          decision={asked}
          url={asked === 'approve' ? approveUrl : rejectUrl}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'signal' && signal !== null && (
        <SignalDialog executionId={executionId} signal={signal} onClose={() => setAsked(null)} />
      )}
    </div>
  );
}

function Reason({ waiting: { kind, signal, childId, title } }: { readonly waiting: Waiting }) {
  if (title !== null) return <p className="font-medium">{title}</p>;
  if (signal !== null) return <p>{texts.waitsForSignal(<code className="mono">{signal}</code>)}</p>;
  if (childId !== null) return <p>{texts.waitsForChild(<RunLink id={childId} of={texts.theChild} />)}</p>;
  return <p>{kind === 'retry' ? texts.waitsForAttempt : texts.waitsForTime}</p>;
}

function Left({ until, now }: { readonly until: number; readonly now: () => number }) {
  useNow('live');
  const left = until - now();
  return (
    <p className="num">
      {left > 0 ? texts.leftUntil(duration(left)) : texts.dueSince}
      <time dateTime={new Date(until).toISOString()}>{absoluteTime(until)}</time>
    </p>
  );
}
