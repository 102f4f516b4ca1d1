import { type ReactNode, useState } from 'react';
import { texts } from '../texts/en/ui.ts';
import { useFailure } from './available.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** A question that names the target: `Cancel 12 executions?` */
  readonly title: string;
  readonly description: ReactNode;
  /** The same verb with the count: `Cancel 12 executions`. */
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
  /** `primary` for actions that delete nothing. */
  readonly kind?: 'danger' | 'primary';
  /** Label of the button that changes nothing; `Cancel` if the action itself cancels nothing. */
  readonly dismiss?: string;
  /** A text to type before confirming, for actions that delete a lot. */
  readonly typed?: string;
  /** Options of the action. */
  readonly children?: ReactNode;
}

/** Asks before an irreversible action. If the action fails, it stays open and shows the error. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  description,
  action,
  onConfirm,
  kind = 'danger',
  dismiss = texts.dismiss,
  typed,
  children,
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useFailure();
  const close = (): void => {
    setText('');
    setError(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      description={description}
      actions={
        <>
          <Button onClick={close}>{dismiss}</Button>
          <Button
            kind={kind}
            busy={busy}
            disabled={typed !== undefined && text !== typed}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <Field label={texts.typeToConfirm(typed)} required>
          <Input value={text} onChange={(event) => setText(event.target.value)} autoComplete="off" />
        </Field>
      )}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}
