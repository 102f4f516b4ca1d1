import { Field } from './field.tsx';
import { Input } from './input.tsx';

/** As the service has it; it checks again. */
const MIN_LENGTH = 12;

export function isShortPassword(password: string): boolean {
  return password.length < MIN_LENGTH;
}

interface NewPasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Says so where it is too short: once the form was sent. */
  readonly sent: boolean;
  /** What the service says of it. */
  readonly fault: string | undefined;
}

/** A password that is chosen. */
export function NewPasswordField({ label, value, onChange, sent, fault }: NewPasswordFieldProps) {
  return (
    <Field
      label={label}
      required
      hint={`At least ${MIN_LENGTH} characters; a sentence is easy to keep in mind.`}
      error={sent && isShortPassword(value) ? `Use at least ${MIN_LENGTH} characters.` : fault}
    >
      <Input
        type="password"
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
