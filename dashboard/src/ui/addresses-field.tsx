import type { ReactNode } from 'react';
import { texts } from '../texts/en/ui.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { TextArea } from './input.tsx';

interface AddressesFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly error?: ReactNode;
  /** Current IP address of the user; undefined until the address is known. */
  readonly own?: string;
}

/**
 * Splits a text into IP addresses and ranges at line breaks, spaces and commas; null if the text contains none. The
 * entries are not validated.
 */
export function addressesOf(text: string): string[] | null {
  const list = text.split(/[\s,]+/).filter((each) => each !== '');
  return list.length === 0 ? null : list;
}

export function AddressesField({ label, text, onChange, error, own }: AddressesFieldProps) {
  const isThere = own !== undefined && (addressesOf(text) ?? []).includes(own);
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <Field label={label} hint={texts.addressesHint} error={error}>
          <TextArea
            rows={3}
            spellCheck={false}
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
      </div>
      {own !== undefined && (
        <Button
          disabled={isThere}
          onClick={() => onChange(text.trim() === '' ? own : `${text.trimEnd()}\n${own}`)}
        >
          {isThere ? texts.addressListed : texts.addMyCurrentAddress}
        </Button>
      )}
    </div>
  );
}
