import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, ApiError, changePassword, csrfHeaders, signInsQuery } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-profile.ts';
import {
  Button,
  ErrorNote,
  Field,
  Input,
  isShortPassword,
  NewPasswordField,
  useSubmit,
  useToast,
} from '../../../ui/index.ts';

export function PasswordForm({ email }: { readonly email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [sent, setSent] = useState(false);
  const submission = useSubmit('current_password', 'new_password');
  const queryClient = useQueryClient();
  const toast = useToast();
  const isWrong = submission.error instanceof ApiError && submission.error.code === 'wrong_password';
  const save = async (): Promise<void> => {
    setSent(true);
    if (isShortPassword(next) || current === '') return;
    const done = await submission.send(async () => {
      const body = { current_password: current, new_password: next };
      await answer(changePassword({ headers: csrfHeaders(), body }));
      await queryClient.invalidateQueries({ queryKey: signInsQuery.queryKey });
    });
    if (!done) return;
    setCurrent('');
    setNext('');
    setSent(false);
    toast(texts.passwordChanged);
  };
  const currentFault = isWrong
    ? texts.currentPasswordWrong
    : sent && current === ''
      ? texts.currentPasswordMissing
      : submission.faultOf('current_password');
  return (
    <form
      noValidate
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {submission.note !== null && !isWrong && (
        <ErrorNote error={submission.note} title={texts.passwordWasNotChanged} />
      )}
      {/* This hidden field contains the account name, which password managers need to update a stored password. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <div className="flex w-full flex-col gap-3">
        <Field label={texts.currentPassword} required error={currentFault}>
          <Input
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        </Field>
        <NewPasswordField
          label={texts.newPassword}
          value={next}
          onChange={setNext}
          sent={sent}
          fault={submission.faultOf('new_password')}
        />
      </div>
      <Button type="submit" busy={submission.busy}>
        {texts.changePassword}
      </Button>
    </form>
  );
}
