import { useState } from 'react';
import type { HookWithUrlView } from '../../api/index.ts';
import { Button, CodeBlock, CopyButton, Dialog } from '../../ui/index.ts';
import { curlOf } from './hook-form.ts';

interface UrlRevealProps {
  readonly hook: HookWithUrlView;
  /** How long the URL before it still works. */
  readonly note?: string;
  readonly onClose: () => void;
}

/** Shows the URL of a hook once. It is in the state of this page only: no cache, storage or address has it. */
export function UrlReveal({ hook, note, onClose }: UrlRevealProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const url = hook.url ?? '';
  const signed = hook.verification.type !== 'none';
  return (
    <Dialog
      open
      withoutCross
      onClose={() => (isCopied ? onClose() : setIsAsking(true))}
      title="Copy the URL of your hook"
      description="This is the only time it is shown. Anyone with the URL can call the hook."
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
            aria-label="URL"
            value={url}
            spellCheck={false}
            autoComplete="off"
            onFocus={(event) => event.target.select()}
            className="mono min-w-0 flex-1 bg-transparent outline-none"
          />
          <CopyButton kind="primary" value={url} onCopied={() => setIsCopied(true)} />
        </div>
        {isAsking && !isCopied && (
          <div role="alert" className="rounded-md bg-failed-soft px-3 py-2 text-failed">
            <p>You have not copied the URL. If you lose it, rotate the hook to get another one.</p>
            <div className="mt-2 flex flex-wrap gap-2">
              <Button onClick={() => setIsAsking(false)}>Stay</Button>
              <Button needsService={false} kind="danger" onClick={onClose}>
                Close without copying
              </Button>
            </div>
          </div>
        )}
        {note !== undefined && <p className="text-text-2">{note}</p>}
        <p className="text-text-2">
          {signed
            ? 'Requests need a valid signature or credential. Without one, this command gets 401:'
            : 'Try it in a terminal:'}
        </p>
        <CodeBlock label="curl command" code={curlOf(url, hook.methods[0] ?? 'POST')} />
      </div>
    </Dialog>
  );
}
