import { type ReactNode, useState } from 'react';
import { texts } from '../texts/en/ui.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/**
 * State of a dialog that shows a secret: whether the user has copied the secret, and whether the dialog warns against
 * losing it.
 */
export interface Reveal {
  readonly isSaved: boolean;
  readonly isAsking: boolean;
  readonly setSaved: (isSaved: boolean) => void;
  readonly setAsking: (isAsking: boolean) => void;
}

export function useReveal(): Reveal {
  const [isSaved, setSaved] = useState(false);
  const [isAsking, setAsking] = useState(false);
  return { isSaved, isAsking, setSaved, setAsking };
}

interface RevealDialogProps {
  readonly reveal: Reveal;
  readonly title: string;
  readonly description: string;
  /** Name of the secret for screen readers. */
  readonly label: string;
  readonly value: string;
  /** Warning that appears if the user tries to close the dialog before copying the secret. */
  readonly warning: string;
  /** Text that is shown until the warning appears. */
  readonly notice?: ReactNode;
  /** Buttons that are shown before the button that closes the dialog. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/**
 * A dialog that shows a secret once, and warns before the secret is lost. The secret is not kept in a cache, a storage
 * or a URL.
 */
export function RevealDialog(props: RevealDialogProps) {
  const { reveal, title, description, label, value, warning, notice, actions, children, onClose } = props;
  const { isSaved, isAsking, setSaved, setAsking } = reveal;
  return (
    <Dialog
      open
      withoutCross
      onClose={() => (isSaved ? onClose() : setAsking(true))}
      title={title}
      description={description}
      actions={
        <>
          {actions}
          <Button needsService={false} kind="primary" onClick={onClose}>
            {texts.iHaveSavedIt}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-2 rounded-md border border-control bg-muted py-1.5 pr-1.5 pl-3 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent">
          <input
            readOnly
            aria-label={label}
            value={value}
            spellCheck={false}
            autoComplete="off"
            onFocus={(event) => event.target.select()}
            className="mono min-w-0 flex-1 bg-transparent outline-none"
          />
          <CopyButton kind="primary" value={value} onCopied={() => setSaved(true)} />
        </div>
        {isAsking && !isSaved ? (
          <div role="alert" className="rounded-md bg-failed-soft px-3 py-2 text-failed">
            <p>{warning}</p>
            <div className="mt-2 flex flex-wrap gap-2">
              <Button onClick={() => setAsking(false)}>{texts.stay}</Button>
              <Button needsService={false} kind="danger" onClick={onClose}>
                {texts.closeWithoutCopying}
              </Button>
            </div>
          </div>
        ) : (
          notice
        )}
        {children}
      </div>
    </Dialog>
  );
}
