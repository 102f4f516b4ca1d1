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
  /** Names the target: `Cancel 12 executions?` */
  readonly title: string;
  readonly description: ReactNode;
  /** Verb and count: `Cancel 12 executions`. */
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
  /** `primary` if nothing is deleted. */
  readonly kind?: 'danger' | 'primary';
  /** Label of the button that does nothing. Needed where `Cancel` would be ambiguous. */
  readonly dismiss?: string;
  /** Text to type before confirming a large deletion. */
  readonly typed?: string;
  readonly children?: ReactNode;
}

/** Asks before an irreversible action. After an error, the dialog stays open. */
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
