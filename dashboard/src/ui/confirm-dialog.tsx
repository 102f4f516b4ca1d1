import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
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
  /** Question that names the target of the action, such as `Cancel 12 executions?` */
  readonly title: string;
  readonly description: ReactNode;
  /** Label of the button that confirms: a verb and the target, such as `Cancel 12 executions`. */
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
  /** Style of the button that confirms. Use `primary` for actions that delete nothing. */
  readonly kind?: 'danger' | 'primary';
  /** Label of the button that closes the dialog without an action. Set this label where `Cancel` would be ambiguous. */
  readonly dismiss?: string;
  /**
   * Text that the user must type to confirm, for example before a large deletion. Absent if the user need not type
   * anything.
   */
  readonly typed?: string;
  readonly children?: ReactNode;
}

/** A dialog that asks for confirmation before an irreversible action. If the action fails, the dialog stays open. */
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
  const isOpen = useRef(open);
  useLayoutEffect(() => {
    isOpen.current = open;
  });
  const close = (): void => {
    setText('');
    setError(null);
    // The parent may have closed this dialog during the action and opened another dialog, which must stay open.
    if (isOpen.current) onClose();
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
