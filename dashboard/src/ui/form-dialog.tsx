import { type ReactNode, useId } from 'react';
import { texts } from '../texts/en/ui.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import type { Submission } from './use-submit.ts';

interface FormDialogProps {
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** Label of the submit button, with a verb: `Create key`. */
  readonly action: string;
  readonly submission: Submission;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A dialog that contains a form. If the submission fails, the form keeps the typed values. */
export function FormDialog({
  onClose,
  title,
  description,
  action,
  submission,
  onSubmit,
  children,
}: FormDialogProps) {
  const form = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={form} busy={submission.busy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {submission.note !== null && <ErrorNote error={submission.note} />}
        {children}
      </form>
    </Dialog>
  );
}
