import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, changeUser, meQuery, signInQuery } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-profile.ts';
import { Button, ErrorNote, Field, Input, useSubmit, useToast } from '../../../ui/index.ts';

export function NameForm({ userId, name }: { readonly userId: string; readonly name: string }) {
  const [text, setText] = useState(name);
  const [isEmpty, setIsEmpty] = useState(false);
  const submission = useSubmit('name');
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = async (): Promise<void> => {
    setIsEmpty(text.trim() === '');
    if (text.trim() === '') return;
    await submission.send(async () => {
      await answer(changeUser({ path: { id: userId }, body: { name: text.trim() } }));
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: signInQuery.queryKey });
      toast(texts.nameSaved);
    });
  };
  return (
    <form
      noValidate
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {submission.note !== null && <ErrorNote error={submission.note} title={texts.nameWasNotSaved} />}
      <div className="w-full">
        <Field label={texts.name} required error={isEmpty ? texts.nameMissing : submission.faultOf('name')}>
          <Input autoComplete="name" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </div>
      <Button type="submit" busy={submission.busy} disabled={text === name}>
        {texts.saveName}
      </Button>
    </form>
  );
}
