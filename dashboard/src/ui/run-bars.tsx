import type { WorkflowRunsView } from '../api/index.ts';
import { texts } from '../texts/en/ui.ts';
import { classes } from './classes.ts';
import { STATUSES, type StatusTone } from './status.ts';

/**
 * CSS classes of a bar by status of the execution. Completed, failed and unfinished executions also differ in height,
 * because color must not be the only difference.
 */
const BAR_CLASSES: Readonly<Record<StatusTone, string>> = {
  completed: 'h-3 bg-completed',
  failed: 'h-5 bg-failed',
  'timed-out': 'h-5 bg-timed-out',
  running: 'h-1.5 bg-running',
  waiting: 'h-1.5 bg-waiting',
  idle: 'h-1.5 bg-idle',
};

export function RunBars({ runs }: { readonly runs: WorkflowRunsView['runs'] }) {
  return (
    <span role="img" aria-label={sentenceOf(runs)} className="flex h-5 items-end gap-0.5">
      {runs.toReversed().map(({ id, status }) => (
        <span
          key={id}
          title={STATUSES[status].word}
          className={classes('w-1 rounded-[1px]', BAR_CLASSES[STATUSES[status].tone])}
        />
      ))}
    </span>
  );
}

function sentenceOf(runs: WorkflowRunsView['runs']): string {
  const counts = [...Map.groupBy(runs, ({ status }) => status)].map(([status, alike]) =>
    texts.statusCount(alike.length, STATUSES[status].word),
  );
  return texts.lastExecutions(runs.length, counts.join(', '));
}
