import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BulkView, type ExecutionView, runActions } from '../../api/index.ts';
import { count } from '../../format/index.ts';
import { Button, ConfirmDialog, FINAL_STATUSES, useToast } from '../../ui/index.ts';

interface BulkBarProps {
  readonly runs: readonly ExecutionView[];
  readonly onDone: () => void;
}

const ACTIONS = {
  cancel: {
    verb: 'Cancel',
    done: 'cancelled',
    kind: 'danger',
    about: 'What runs is stopped. What is done stays done; a cancelled run can be retried later.',
  },
  retry: {
    verb: 'Retry',
    done: 'started again',
    kind: 'secondary',
    about: 'Each is started again from where it failed, as a new run that takes over what is done.',
  },
} as const;

type Action = keyof typeof ACTIONS;

/** Actions on the selected executions. The bar overlays the end of the list, so that no row moves. */
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
    if (answer.failed > 0) throw new Error(failureOf(answer, ACTIONS[action].done));
    toast(`${count(answer.succeeded, 'run')} ${ACTIONS[action].done}`);
    onDone();
  };
  const words = asked === null ? null : ACTIONS[asked];
  const number = asked === null ? '' : count(idsFor[asked].length, 'run');
  return (
    <>
      {runs.length > 0 && (
        <div
          role="region"
          aria-label="Chosen runs"
          className="sticky bottom-4 z-20 mx-auto mt-2 flex w-fit max-w-full flex-wrap items-center gap-2.5 rounded-md border border-border bg-surface px-3 py-2 shadow-overlay"
        >
          <span className="num font-medium">{count(runs.length, 'run')} chosen</span>
          {(['retry', 'cancel'] as const).map((action) => (
            <Button
              key={action}
              kind={ACTIONS[action].kind}
              disabled={idsFor[action].length === 0}
              onClick={() => setAsked(action)}
            >
              {ACTIONS[action].verb} {idsFor[action].length}
            </Button>
          ))}
          <Button kind="quiet" onClick={onDone}>
            Clear
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={`${words?.verb} ${number}?`}
        description={words?.about}
        action={`${words?.verb} ${number}`}
        kind={words?.kind === 'danger' ? 'danger' : 'primary'}
        onConfirm={() => (asked === null ? Promise.resolve() : confirm(asked))}
      />
    </>
  );
}

function failureOf({ succeeded, failed, errors }: BulkView, done: string): string {
  const first = errors[0]?.message ?? '';
  return `${count(succeeded, 'run')} ${done}, ${failed} could not be. The first: ${first}`;
}
