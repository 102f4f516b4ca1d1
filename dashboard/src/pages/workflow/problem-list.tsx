import { CircleAlert, CircleCheck } from 'lucide-react';
import { count } from '../../format/index.ts';
import { ErrorNote } from '../../ui/index.ts';
import type { Problem, Problems } from './use-problems.ts';

interface ProblemListProps {
  readonly problems: Problems;
  readonly onSelect: (problem: Problem) => void;
}

export function ProblemList({ problems, onSelect }: ProblemListProps) {
  const { list, settled, error } = problems;
  return (
    <section aria-label="Problems" className="flex flex-col gap-2 lg:w-[300px]">
      <h2 aria-live="polite" className="flex items-center gap-1.5 font-semibold">
        {list.length > 0 ? (
          <>
            <CircleAlert size={14} aria-hidden className="text-failed" />
            {count(list.length, 'problem')}
          </>
        ) : settled ? (
          <>
            <CircleCheck size={14} aria-hidden className="text-completed" />
            No problems
          </>
        ) : (
          'Checking'
        )}
      </h2>
      {error !== null && <ErrorNote error={error} title="Could not check the definition." />}
      <ul className="flex flex-col gap-1">
        {list.map((problem) => (
          <li key={`${problem.field} ${problem.reason}`}>
            <button
              type="button"
              onClick={() => onSelect(problem)}
              className="w-full rounded-sm border border-border bg-surface px-2.5 py-1.5 text-left hover:bg-muted"
            >
              {problem.field !== '' && <code className="mono block break-all">{problem.field}</code>}
              <span className="block break-words text-failed">{problem.reason}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
