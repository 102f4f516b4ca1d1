import { useState } from 'react';
import { answer, changeSecret, type SecretView } from '../../../api/index.ts';
import { Field, FormDialog, Input, useSubmit } from '../../../ui/index.ts';
import { ValueField } from './value-field.tsx';

interface ChangeDialogProps {
  readonly secret: SecretView;
  readonly onClose: () => void;
  readonly onDone: (secret: SecretView) => void;
}

export function ReplaceValueDialog({ secret: { id, name }, onClose, onDone }: ChangeDialogProps) {
  const [value, setValue] = useState('');
  const submission = useSubmit('value');
  return (
    <FormDialog
      onClose={onClose}
      title={`Replace the value of ${name}`}
      description="The new value counts from the next attempt of a node on, retries included. The old one is deleted."
      action="Replace value"
      submission={submission}
      onSubmit={() =>
        void submission.send(async () =>
          onDone(await answer(changeSecret({ path: { id }, body: { value } }))),
        )
      }
    >
      <ValueField label="New value" value={value} onChange={setValue} error={submission.faultOf('value')} />
    </FormDialog>
  );
}

export function DescriptionDialog({ secret, onClose, onDone }: ChangeDialogProps) {
  const [text, setText] = useState(secret.description);
  const submission = useSubmit('description');
  const save = (): Promise<SecretView> =>
    answer(changeSecret({ path: { id: secret.id }, body: { description: text.trim() } }));
  return (
    <FormDialog
      onClose={onClose}
      title={`Edit the description of ${secret.name}`}
      action="Save description"
      submission={submission}
      onSubmit={() => void submission.send(async () => onDone(await save()))}
    >
      <Field label="Description" error={submission.faultOf('description')}>
        <Input value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
    </FormDialog>
  );
}
