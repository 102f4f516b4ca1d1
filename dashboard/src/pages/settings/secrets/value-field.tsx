import { type ClipboardEvent, useState } from 'react';
import { texts } from '../../../texts/en/settings-secrets.ts';
import { Button, Field, Input, TextArea } from '../../../ui/index.ts';

interface ValueFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/**
 * Field for the value of a secret, hidden as in a password field. A value with several lines is visible, because a
 * password field has only one line.
 */
export function ValueField({ label, value, onChange, error }: ValueFieldProps) {
  const [shown, setShown] = useState(false);
  const hasLines = value.includes('\n');
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = event.clipboardData.getData('text');
    if (!pasted.trimEnd().includes('\n')) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    onChange(value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? value.length));
  };
  const attributes = {
    value,
    autoCapitalize: 'none',
    spellCheck: false,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  return (
    <Field label={label} required hint={texts.valueHint} error={error}>
      <div className="flex items-start gap-2">
        {shown || hasLines ? (
          <TextArea autoComplete="off" {...attributes} />
        ) : (
          <Input type="password" autoComplete="new-password" onPaste={paste} {...attributes} />
        )}
        {!hasLines && (
          <Button
            aria-label={shown ? texts.hideValue : texts.showValue}
            className="h-8"
            onClick={() => setShown(!shown)}
          >
            {shown ? texts.hide : texts.show}
          </Button>
        )}
      </div>
    </Field>
  );
}
