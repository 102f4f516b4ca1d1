import { type ReactNode, useState } from 'react';
import { texts } from '../../texts/en/settings-lists.ts';
import { Field, FormDialog, Input, useSubmit } from '../../ui/index.ts';

interface NameDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly action: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onSubmit: (name: string) => Promise<void>;
}

export function NameDialog({ title, description, action, name, onClose, onSubmit }: NameDialogProps) {
  const [text, setText] = useState(name);
  const [isEmpty, setIsEmpty] = useState(false);
  const submission = useSubmit('name');
  const submit = async (): Promise<void> => {
    setIsEmpty(text.trim() === '');
    if (text.trim() === '') return;
    if (await submission.send(() => onSubmit(text.trim()))) onClose();
  };
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={description}
      action={action}
      submission={submission}
      onSubmit={() => void submit()}
    >
      <Field label={texts.name} required error={isEmpty ? texts.nameMissing : submission.faultOf('name')}>
        <Input value={text} autoComplete="off" onChange={(event) => setText(event.target.value)} />
      </Field>
    </FormDialog>
  );
}
