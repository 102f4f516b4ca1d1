import { useState } from 'react';
import type { WorkflowView } from '../../api/index.ts';
import { texts } from '../../texts/en/workflow.ts';
import { Button, ConfirmDialog, useToast } from '../../ui/index.ts';
import { patchWorkflow } from './live-workflow.ts';

type Status = WorkflowView['status'];

interface Change {
  readonly to: Status;
  readonly verb: string;
  /** Text of the confirmation dialog that explains what the action does. */
  readonly effect: string;
  readonly done: string;
}

const ACTIVATE: Change = {
  to: 'active',
  verb: texts.activate,
  effect: texts.activateHint,
  done: texts.activated,
};
const PAUSE: Change = {
  to: 'paused',
  verb: texts.pause,
  effect: texts.pauseHint,
  done: texts.paused,
};
const ARCHIVE: Change = {
  to: 'archived',
  verb: texts.archive,
  effect: texts.archiveHint,
  done: texts.archived,
};
const UNARCHIVE: Change = {
  to: 'paused',
  verb: texts.restoreWorkflow,
  effect: texts.restoreHint,
  done: texts.restoredPaused,
};

const CHANGES: Readonly<Record<Status, readonly Change[]>> = {
  draft: [ACTIVATE, ARCHIVE],
  active: [PAUSE, ARCHIVE],
  paused: [ACTIVATE, ARCHIVE],
  archived: [UNARCHIVE],
};

/** Buttons for the actions that the status of the workflow allows. */
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
