import { useMemo } from 'react';
import { texts } from '../../texts/en/workflow.ts';
import { classes } from '../../ui/index.ts';
import { diffCounts, type DiffLine, lineDiff } from './line-diff.ts';

const MARKS = { same: ' ', added: '+', removed: '-' } as const;
/** Number of unchanged lines shown before and after each change. */
const CONTEXT = 3;

interface DiffViewProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Shows the changed lines between two texts, with up to 3 unchanged lines before and after each change. */
export function DiffView({ label, before, after }: DiffViewProps) {
  const diff = useMemo(() => lineDiff(before, after), [before, after]);
  const { added, removed } = diffCounts(diff);
  if (added + removed === 0) return <p className="text-text-2">{texts.noDifferences}</p>;
  return (
    <div className="flex flex-col gap-1">
      <p className="num text-small text-text-2">{texts.addedRemoved(added, removed)}</p>
      <div
        tabIndex={0}
        role="region"
        aria-label={label}
        className="mono max-h-[420px] overflow-auto rounded-md border border-border bg-surface py-1.5"
      >
        <div className="w-max min-w-full">
          {diff.map((line, index) =>
            isNear(diff, index) ? (
              <div
                // Two lines of a diff can be equal, so only the index of a line is unique as a React key.
                key={`${index}`}
                className={classes(
                  'px-2.5 whitespace-pre',
                  line.kind === 'added' && 'bg-completed-soft text-completed',
                  line.kind === 'removed' && 'bg-failed-soft text-failed',
                )}
              >
                {MARKS[line.kind]} {line.text}
              </div>
            ) : (
              isNear(diff, index - 1) && (
                <div key={`${index}`} className="px-2.5 text-text-3">
                  …
                </div>
              )
            ),
          )}
        </div>
      </div>
    </div>
  );
}

function isNear(diff: readonly DiffLine[], index: number): boolean {
  return diff.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== 'same');
}
