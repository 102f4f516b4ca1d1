import { useState } from 'react';
import { texts } from '../texts/en/ui.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

/** Minimum length of a password, in characters. The service requires the same minimum. */
const MIN_LENGTH = 12;

export function isShortPassword(password: string): boolean {
  return password.length < MIN_LENGTH;
}

interface NewPasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether the form was submitted. Before the first submission, the field does not report a short password. */
  readonly sent: boolean;
  readonly fault: string | undefined;
}

export function NewPasswordField({ label, value, onChange, sent, fault }: NewPasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      label={label}
      required
      hint={texts.passwordHint(MIN_LENGTH)}
      error={sent && isShortPassword(value) ? texts.passwordTooShort(MIN_LENGTH) : fault}
    >
      <div className="flex gap-2">
        <Input
          type={shown ? 'text' : 'password'}
          autoComplete="new-password"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <Button aria-label={shown ? texts.hidePassword : texts.showPassword} onClick={() => setShown(!shown)}>
          {shown ? texts.hide : texts.show}
        </Button>
      </div>
    </Field>
  );
}
