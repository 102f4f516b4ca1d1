import { useQuery } from '@tanstack/react-query';
import { explanationQuery } from '../../api/index.ts';
import { duration, useNow } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { Time } from '../../ui/index.ts';
import { RunLink } from './run-link.tsx';
import type { RunState } from './run-state.ts';

/** Milliseconds without an event after which the page asks the service why the execution makes no progress. */
const QUIET_MS = 3_000;
/**
 * Interval, in milliseconds, at which the page requests the explanation again. The reason may change without an event.
 */
const ASK_AGAIN_MS = 5_000;

interface StandstillProps {
  readonly id: string;
  readonly state: RunState;
}

export function Standstill({ id, state }: StandstillProps) {
  const now = useNow('live');
  const isStill = now - state.at > QUIET_MS || state.status === 'paused' || state.status === 'queued';
  return isStill ? <Explained key={state.sequence} id={id} sequence={state.sequence} /> : null;
}

function Explained({ id, sequence }: { readonly id: string; readonly sequence: number }) {
  const now = useNow('live');
  const { data } = useQuery({ ...explanationQuery(id, sequence), refetchInterval: ASK_AGAIN_MS });
  if (data === undefined || data.cause === 'ended') return null;
  const { cause, message, since, holder, frees } = data;
  const title = cause === 'node_running' ? texts.currentActivity : texts.whyStuck;
  return (
    <section aria-label={title} className="rounded-md border border-border px-3 py-2">
      <h3 className="label">{title}</h3>
      <p>{message}</p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-text-2">
        <dt>{texts.sinceDuration}</dt>
        <dd className="num">{duration(Math.max(0, now - Date.parse(since)))}</dd>
        {holder?.type === 'execution' && (
          <>
            <dt>{texts.blockedBy}</dt>
            <dd>
              <RunLink id={holder.id} of={texts.theBlocker} />
            </dd>
          </>
        )}
        {frees !== null && (
          <>
            <dt>{texts.resolvedBy}</dt>
            <dd>{frees.how}</dd>
          </>
        )}
        {frees !== null && frees.at !== null && (
          <>
            <dt>{texts.dueAt}</dt>
            <dd>
              <Time value={frees.at} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
