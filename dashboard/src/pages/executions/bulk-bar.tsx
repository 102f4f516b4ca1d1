import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type BulkView, type ExecutionView, runActions } from '../../api/index.ts';
import { texts } from '../../texts/en/executions.ts';
import { Button, buttonClasses, ConfirmDialog, FINAL_STATUSES, useToast } from '../../ui/index.ts';

interface BulkBarProps {
  readonly runs: readonly ExecutionView[];
  readonly onDone: () => void;
}

const ACTIONS = {
  cancel: {
    button: texts.cancelCount,
    title: texts.cancelTitle,
    action: texts.cancelAction,
    dismiss: texts.keepRunning,
    done: texts.cancelled,
    kind: 'danger',
    about: texts.cancelHint,
  },
  retry: {
    button: texts.retryCount,
    title: texts.retryTitle,
    action: texts.retryAction,
    dismiss: texts.dismissRetry,
    done: texts.retried,
    kind: 'secondary',
    about: texts.retryHint,
  },
} as const;

type Action = keyof typeof ACTIONS;

/**
 * Bar with the actions on the selected executions. The bar covers the end of the list, so that no row moves when the
 * bar appears.
 */
export function BulkBar({ runs, onDone }: BulkBarProps) {
  const [asked, setAsked] = useState<Action | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const idsFor: Readonly<Record<Action, readonly string[]>> = {
    cancel: runs.filter(({ status }) => !FINAL_STATUSES.has(status)).map(({ id }) => id),
    retry: runs
      .filter(({ status }) => FINAL_STATUSES.has(status) && status !== 'completed')
      .map(({ id }) => id),
  };
  const confirm = async (action: Action): Promise<void> => {
    const answer = await runActions.bulk(action, idsFor[action]);
    await queryClient.invalidateQueries({ queryKey: ['executions'] });
    if (answer.failed > 0) throw new Error(failureOf(answer, ACTIONS[action].done(answer.succeeded)));
    toast(ACTIONS[action].done(answer.succeeded));
    onDone();
  };
  const words = asked === null ? null : ACTIONS[asked];
  const size = asked === null ? 0 : idsFor[asked].length;
  return (
    <>
      {runs.length > 0 && (
        <div
          role="region"
          aria-label={texts.selectedExecutions}
          className="sticky bottom-4 z-20 mx-auto mt-2 flex w-fit max-w-full flex-wrap items-center gap-2.5 rounded-md border border-border bg-surface px-3 py-2 shadow-overlay"
        >
          <span className="num font-medium">{texts.selectedCount(runs.length)}</span>
          {(['retry', 'cancel'] as const).map((action) => (
            <Button
              key={action}
              kind={ACTIONS[action].kind}
              disabled={idsFor[action].length === 0}
              onClick={() => setAsked(action)}
            >
              {ACTIONS[action].button(idsFor[action].length)}
            </Button>
          ))}
          <Comparison runs={runs} />
          <Button kind="quiet" onClick={onDone}>
            {texts.clear}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={words?.title(size) ?? ''}
        description={words?.about}
        action={words?.action(size) ?? ''}
        dismiss={words?.dismiss}
        kind={words?.kind === 'danger' ? 'danger' : 'primary'}
        onConfirm={() => (asked === null ? Promise.resolve() : confirm(asked))}
      />
    </>
  );
}

/**
 * Link that compares two selected executions. The link is absent unless exactly two executions of the same workflow are
 * selected.
 */
function Comparison({ runs }: { readonly runs: readonly ExecutionView[] }) {
  const [base, other] = runs.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  if (
    runs.length !== 2 ||
    base === undefined ||
    other === undefined ||
    base.workflow_id !== other.workflow_id
  )
    return null;
  return (
    <Link to="/executions/compare" search={{ base: base.id, other: other.id }} className={buttonClasses()}>
      {texts.compare}
    </Link>
  );
}

function failureOf({ failed, errors }: BulkView, done: string): string {
  const first = errors[0]?.message ?? '';
  return texts.partlyFailed(done, failed, first);
}
