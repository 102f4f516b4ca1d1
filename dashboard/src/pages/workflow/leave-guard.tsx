import { useBlocker } from '@tanstack/react-router';
import { Button, Dialog } from '../../ui/index.ts';

/** Asks before the page is left with something unsaved; the browser asks where its tab is closed. */
export function LeaveGuard({ unsaved }: { readonly unsaved: boolean }) {
  const { status, proceed, reset } = useBlocker({
    // Another tab of the same page loses nothing.
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
