import { useState } from 'react';
import { answer, changeSecret, type SecretView } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-secrets.ts';
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
      title={texts.replaceValueOf(name)}
      description={texts.replaceHint}
      action={texts.replaceValue}
      submission={submission}
      onSubmit={() =>
        void submission.send(async () =>
          onDone(await answer(changeSecret({ path: { id }, body: { value } }))),
        )
      }
    >
      <ValueField
        label={texts.newValue}
        value={value}
        onChange={setValue}
        error={submission.faultOf('value')}
      />
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
      title={texts.editDescriptionOf(secret.name)}
      action={texts.saveDescription}
      submission={submission}
      onSubmit={() => void submission.send(async () => onDone(await save()))}
    >
      <Field label={texts.description} error={submission.faultOf('description')}>
        <Input value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
    </FormDialog>
  );
}
