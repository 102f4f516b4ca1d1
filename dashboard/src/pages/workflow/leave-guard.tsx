import { useBlocker } from '@tanstack/react-router';
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
      title="Leave without saving?"
      description="Your unsaved changes will be lost."
      actions={
        <>
          <Button onClick={reset}>Stay</Button>
          <Button needsService={false} kind="danger" onClick={proceed}>
            Leave
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
