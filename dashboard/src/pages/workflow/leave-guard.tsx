import { useBlocker } from '@tanstack/react-router';
import { texts } from '../../texts/en/workflow.ts';
import { Button, Dialog } from '../../ui/index.ts';

/** Asks for confirmation before unsaved changes are lost by navigation. When the tab is closed, the browser asks. */
export function LeaveGuard({ unsaved }: { readonly unsaved: boolean }) {
  const { status, proceed, reset } = useBlocker({
    // Switching tabs within the same page loses nothing.
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
