import { useBlocker } from '@tanstack/react-router';
import { texts } from '../../texts/en/workflow.ts';
import { Button, Dialog } from '../../ui/index.ts';

/** Asks the user for confirmation before navigation discards unsaved changes. */
export function LeaveGuard({ unsaved }: { readonly unsaved: boolean }) {
  const { status, proceed, reset } = useBlocker({
    // A switch of tabs within the page keeps the unsaved changes, so it needs no confirmation.
    shouldBlockFn: ({ current, next }) => unsaved && current.pathname !== next.pathname,
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog
      open
      onClose={reset}
      title={texts.leaveWithoutSaving}
      description={texts.yourUnsavedChanges}
      actions={
        <>
          <Button onClick={reset}>{texts.stay}</Button>
          <Button needsService={false} kind="danger" onClick={proceed}>
            {texts.leave}
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
