import { useState } from 'react';
import { Button, CopyButton, Dialog } from '../../../ui/index.ts';

interface SecretRevealProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a signing secret, this once. It lives in the state of the page that shows this, nowhere else. */
export function SecretReveal({ secret, onClose }: SecretRevealProps) {
  const [isAsking, setAsking] = useState(false);
  const [isSaved, setSaved] = useState(false);
  return (
    <Dialog
      open
      withoutCross
      onClose={() => (isSaved ? onClose() : setAsking(true))}
      title="Copy the signing secret"
      description="Receivers verify signatures with it. This is the only time it is shown."
      actions={
        <Button needsService={false} kind="primary" onClick={onClose}>
          I have saved it
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-2 rounded-md border border-control bg-muted py-1.5 pr-1.5 pl-3 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent">
          <input
            readOnly
            aria-label="Signing secret"
            value={secret}
            spellCheck={false}
            autoComplete="off"
            onFocus={(event) => event.target.select()}
            className="mono min-w-0 flex-1 bg-transparent outline-none"
          />
          <CopyButton kind="primary" value={secret} onCopied={() => setSaved(true)} />
        </div>
        {isAsking && !isSaved && (
          <p role="alert" className="rounded-md bg-failed-soft px-3 py-2 text-failed">
            You have not copied the secret. If you lose it, rotate the secret to get a new one.
          </p>
        )}
      </div>
    </Dialog>
  );
}
