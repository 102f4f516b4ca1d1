import { duration, timeOfDay } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { StatusBadge } from '../../ui/index.ts';
import type { NodeRun, Segment } from './node-run.ts';

interface Attempt {
  readonly number: number;
  readonly segments: readonly Segment[];
}

export function AttemptList({ run }: { readonly run: NodeRun }) {
  const attempts = attemptsOf(run);
  if (attempts.length === 0) return <p className="text-text-2">{texts.noAttempts}</p>;
  return (
    <ol className="-mx-4">
      {attempts.map(({ number, segments }) => {
        const ran = segments.filter(({ kind }) => kind !== 'retry');
        const wait = segments.find(({ kind }) => kind === 'retry');
        const first = ran[0];
        const last = ran.at(-1);
        const endedAt = last?.to ?? null;
        const error = ran.findLast((segment) => segment.error !== null)?.error ?? null;
        return (
          <li key={number} className="flex flex-col gap-1 border-b border-border px-4 py-2">
            <p className="flex items-center gap-2">
              <span className="font-medium">{texts.attemptOf(number, run.maxAttempts)}</span>
              {last !== undefined && <StatusBadge status={statusOf(last)} />}
              <span className="mono num ml-auto text-text-2">
                {first !== undefined && timeOfDay(first.from)}
                {first !== undefined && endedAt !== null && ` · ${duration(endedAt - first.from)}`}
              </span>
            </p>
            {error !== null && <p className="break-words text-failed">{error.message}</p>}
            {wait !== undefined && (
              <p className="text-small text-text-3">
                {wait.to === null
                  ? texts.nextAttemptSoon
                  : texts.waitedAfterwards(duration(wait.to - wait.from))}
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function attemptsOf({ segments }: NodeRun): readonly Attempt[] {
  const numbers = [...new Set(segments.map(({ attempt }) => attempt))];
  return numbers.map((number) => ({
    number,
    segments: segments.filter(({ attempt }) => attempt === number),
  }));
}

function statusOf({ outcome, kind }: Segment): NodeRun['status'] {
  if (outcome === 'completed' || outcome === 'failed' || outcome === 'cancelled') return outcome;
  if (outcome === 'interrupted') return 'cancelled';
  return kind === 'wait' || outcome === 'suspended' ? 'waiting' : 'running';
}
