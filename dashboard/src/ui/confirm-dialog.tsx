import { type ReactNode, useState } from 'react';
import { useFailure } from './available.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** As a question that names what it is about: `Cancel 12 runs?` */
  readonly title: string;
  readonly description: ReactNode;
  /** The verb again, with the number: `Cancel 12 runs`. */
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
  /** `primary` where nothing is lost by it. */
  readonly kind?: 'danger' | 'primary';
  /** Has to be typed first, where much would be lost. */
  readonly typed?: string;
  /** Options of what is confirmed. */
  readonly children?: ReactNode;
}

/** Asks before something that cannot be taken back. It stays open, and says why, where that fails. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  description,
  action,
  onConfirm,
  kind = 'danger',
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
          <Button onClick={close}>Keep</Button>
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
        <Field label={`Type ${typed} to confirm`} required>
          <Input value={text} onChange={(event) => setText(event.target.value)} autoComplete="off" />
        </Field>
      )}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}
