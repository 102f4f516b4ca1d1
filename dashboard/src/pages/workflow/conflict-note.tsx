import { texts } from '../../texts/en/workflow.ts';
import { Button } from '../../ui/index.ts';
import { DiffView } from './diff-view.tsx';
import { definitionText, type LiveWorkflow } from './live-workflow.ts';

interface ConflictProps {
  readonly base: LiveWorkflow;
  readonly live: LiveWorkflow;
  readonly busy: boolean;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

/** Shows what another user saved in the meantime, and lets the user choose between the two versions. */
export function Conflict({ base, live, busy, onMine, onTheirs }: ConflictProps) {
  return (
    <section
      role="alert"
      aria-label={texts.conflict}
      className="flex flex-col gap-2 rounded-md border border-waiting p-3"
    >
      <h2 className="font-semibold text-waiting">{texts.conflictTitle}</h2>
      <p>{texts.conflictHint(base.workflow.version, live.workflow.version)}</p>
      <DiffView label={texts.conflictDiff} before={describedText(base)} after={describedText(live)} />
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={busy} onClick={onMine}>
          {texts.overwrite}
        </Button>
        <Button onClick={onTheirs}>{texts.takeTheirs}</Button>
      </div>
    </section>
  );
}

function describedText({ workflow }: LiveWorkflow): string {
  const { name, description, status, tags } = workflow;
  return `${JSON.stringify({ name, description, status, tags }, null, 2)}\n${definitionText(workflow)}`;
}
