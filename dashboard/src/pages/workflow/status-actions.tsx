import { useState } from 'react';
import type { WorkflowView } from '../../api/index.ts';
import { Button, ConfirmDialog, useToast } from '../../ui/index.ts';
import { patchWorkflow } from './live-workflow.ts';

type Status = WorkflowView['status'];

interface Change {
  readonly to: Status;
  readonly verb: string;
  /** Text about the effect of the action. */
  readonly effect: string;
  readonly done: string;
}

const ACTIVATE: Change = {
  to: 'active',
  verb: 'Activate',
  effect: 'It can be started from now on.',
  done: 'Activated',
};
const PAUSE: Change = {
  to: 'paused',
  verb: 'Pause',
  effect: 'It cannot be started until it is active again. What runs goes on.',
  done: 'Paused',
};
const ARCHIVE: Change = {
  to: 'archived',
  verb: 'Archive',
  effect: 'It cannot be started or changed, and leaves the list. Its runs stay.',
  done: 'Archived',
};
const BRING_BACK: Change = {
  to: 'paused',
  verb: 'Bring back',
  effect: 'It is paused then, and can be changed and activated.',
  done: 'Brought back, paused',
};

const CHANGES: Readonly<Record<Status, readonly Change[]>> = {
  draft: [ACTIVATE, ARCHIVE],
  active: [PAUSE, ARCHIVE],
  paused: [ACTIVATE, ARCHIVE],
  archived: [BRING_BACK],
};

/** The actions available in the workflow's status; each asks for confirmation. */
export function StatusActions({ workflow }: { readonly workflow: WorkflowView }) {
  const [asked, setAsked] = useState<Change | null>(null);
  const toast = useToast();
  return (
    <>
      {CHANGES[workflow.status].map((change) => (
        <Button needsService key={change.verb} onClick={() => setAsked(change)}>
          {change.verb}
        </Button>
      ))}
      {asked !== null && (
        <ConfirmDialog
          open
          onClose={() => setAsked(null)}
          title={`${asked.verb} ${workflow.name}?`}
          description={asked.effect}
          action={asked.verb}
          kind={asked === ARCHIVE ? 'danger' : 'primary'}
          onConfirm={async () => {
            await patchWorkflow(workflow.id, { status: asked.to });
            toast(asked.done);
          }}
        />
      )}
    </>
  );
}
