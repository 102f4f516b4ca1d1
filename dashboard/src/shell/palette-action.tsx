import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { runActions, workflowQuery } from '../api/index.ts';
import { CreateDialog } from '../pages/workflows/create-dialog.tsx';
import { CreateKey } from '../pages/settings/api-keys/create-key.tsx';
import { texts } from '../texts/en/shell.ts';
import { ConfirmDialog, useToast } from '../ui/index.ts';
import type { PaletteDialog } from './palette-commands.ts';
import { RunDialog } from './run-dialog.tsx';

interface PaletteActionProps {
  readonly dialog: PaletteDialog;
  readonly onClose: () => void;
}

/** The dialog of an action that was chosen in the command palette. The dialog can open on any page. */
export function PaletteAction({ dialog, onClose }: PaletteActionProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [openedAt] = useState(path);
  // A dialog that has completed its action opens another page. The change of the path then closes the dialog.
  useEffect(() => {
    if (path !== openedAt) onClose();
  }, [path, openedAt, onClose]);
  if (dialog.kind === 'create-workflow') return <CreateDialog onClose={onClose} />;
  if (dialog.kind === 'create-key') return <CreateKey onClose={onClose} />;
  if (dialog.kind === 'run') return <Run workflowId={dialog.workflowId} onClose={onClose} />;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.cancelQuestion(dialog.name)}
      description={texts.runningNodesAreStopped}
      action={texts.cancelExecution}
      onConfirm={async () => {
        await runActions.cancel(dialog.executionId);
        await queryClient.invalidateQueries({ queryKey: ['executions'] });
        toast(texts.cancelDone);
      }}
    />
  );
}

function Run({ workflowId, onClose }: { readonly workflowId: string; readonly onClose: () => void }) {
  const { data: workflow } = useQuery(workflowQuery(workflowId));
  return workflow === undefined ? null : <RunDialog workflow={workflow} open onClose={onClose} />;
}
