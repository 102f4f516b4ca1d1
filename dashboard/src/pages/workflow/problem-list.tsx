import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { Problem } from '../../editor/json-editor.tsx';
import { texts } from '../../texts/en/workflow.ts';
import { classes, ErrorNote } from '../../ui/index.ts';
import type { Problems } from './use-problems.ts';

interface ProblemListProps {
  readonly problems: Problems;
  readonly onSelect: (problem: Problem) => void;
}

export function ProblemList({ problems, onSelect }: ProblemListProps) {
  const { list, warnings, settled, error } = problems;
  return (
    <div className="flex flex-col gap-4 lg:w-[300px]">
      <section aria-label={texts.problems} className="flex flex-col gap-2">
        <h2 aria-live="polite" className="flex items-center gap-1.5 font-semibold">
          {list.length > 0 ? (
            <>
              <CircleAlert size={14} aria-hidden className="text-failed" />
              {texts.problemCount(list.length)}
            </>
          ) : settled ? (
            <>
              <CircleCheck size={14} aria-hidden className="text-completed" />
              {texts.noProblems}
            </>
          ) : (
            texts.checking
          )}
        </h2>
        {error !== null && <ErrorNote error={error} title={texts.couldNotCheck} />}
        <ProblemButtons problems={list} tone="text-failed" onSelect={onSelect} />
      </section>
      {warnings.length > 0 && (
        <section aria-label={texts.warnings} className="flex flex-col gap-2">
          <h2 className="flex items-center gap-1.5 font-semibold">
            <TriangleAlert size={14} aria-hidden className="text-waiting" />
            {texts.warningCount(warnings.length)}
          </h2>
          <ProblemButtons problems={warnings} tone="text-waiting" onSelect={onSelect} />
        </section>
      )}
    </div>
  );
}

interface ProblemButtonsProps {
  readonly problems: readonly Problem[];
  readonly tone: string;
  readonly onSelect: (problem: Problem) => void;
}

function ProblemButtons({ problems, tone, onSelect }: ProblemButtonsProps) {
  return (
    <ul className="flex flex-col gap-1">
      {problems.map((problem) => (
        <li key={`${problem.field} ${problem.reason}`}>
          <button
            type="button"
            onClick={() => onSelect(problem)}
            className="w-full rounded-sm border border-border bg-surface px-2.5 py-1.5 text-left hover:bg-muted"
          >
            {problem.field !== '' && <code className="mono block break-all">{problem.field}</code>}
            <span className={classes('block break-words', tone)}>{problem.reason}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
