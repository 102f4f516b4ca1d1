import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { SERVICE_URL } from '../../../base-path.ts';
import { Button, CodeBlock, CopyButton, Dialog } from '../../../ui/index.ts';

interface KeyRevealProps {
  readonly name: string;
  readonly secret: string;
  /** Additional information, such as how long the old key keeps working. */
  readonly note?: string;
  readonly onClose: () => void;
}

/**
 * Shows a new key once. The secret exists only in the state of the opening page, never in the URL, a cache or browser
 * storage.
 */
export function KeyReveal({ name, secret, note, onClose }: KeyRevealProps) {
  const [saved, setSaved] = useState(false);
  const [asking, setAsking] = useState(false);
  const leave = (): void => {
    if (saved) onClose();
    else setAsking(true);
  };
  // Navigating back or closing the tab would lose the key, too.
  useBlocker({
    shouldBlockFn: () => {
      if (!saved) setAsking(true);
      return !saved;
    },
    enableBeforeUnload: !saved,
  });
  return (
    <Dialog
      open
      withoutCross
      onClose={leave}
      title="Copy your new key"
      description={`Key “${name}” was created. This is the only time it is shown.`}
      actions={
        <>
          <Button
            onClick={() => {
              download(secret);
              setSaved(true);
            }}
          >
            Download .env
          </Button>
          <Button needsService={false} kind="primary" onClick={onClose}>
            I have saved it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-2 rounded-md border border-control bg-muted py-1.5 pr-1.5 pl-3 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent">
          <input
            readOnly
            aria-label="API key"
            value={secret}
            spellCheck={false}
            autoComplete="off"
            onFocus={(event) => event.target.select()}
            className="mono min-w-0 flex-1 bg-transparent outline-none"
          />
          <CopyButton kind="primary" value={secret} onCopied={() => setSaved(true)} />
        </div>
        {asking && !saved ? (
          <div role="alert" className="rounded-md bg-failed-soft px-3 py-2 text-failed">
            <p>You have not copied the key. Once this closes, it cannot be shown again.</p>
            <div className="mt-2 flex flex-wrap gap-2">
              <Button onClick={() => setAsking(false)}>Stay</Button>
              <Button needsService={false} kind="danger" onClick={onClose}>
                Close without copying
              </Button>
            </div>
          </div>
        ) : (
          <p className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">
            Store it in a secret manager. If you lose it, create a new key and delete this one.
          </p>
        )}
        {note !== undefined && <p className="text-text-2">{note}</p>}
        <CodeBlock
          label="curl command"
          code={`curl ${SERVICE_URL}/v1/workflows \\\n  -H "Authorization: Bearer $WORKFLOW_API_KEY"`}
        />
      </div>
    </Dialog>
  );
}

/** Downloads the key as an `.env` file. */
function download(secret: string): void {
  const url = URL.createObjectURL(new Blob([`WORKFLOW_API_KEY=${secret}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'workflow-service.env';
  link.click();
  URL.revokeObjectURL(url);
}
