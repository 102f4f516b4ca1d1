import { createContext, type ReactNode, useContext, useId } from 'react';
import { texts } from '../texts/en/ui.ts';
import { CodeText } from './code-text.tsx';

export interface FieldLink {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  readonly required: boolean;
}

const Link = createContext<FieldLink | null>(null);

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Error message that explains how to correct the value. Screen readers announce the message. */
  readonly error?: ReactNode;
  readonly required?: boolean;
  readonly children: ReactNode;
}

export function Field({ label, hint, error, required = false, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [hint !== undefined && hintId, error !== undefined && errorId]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
        {!required && <span className="ml-1 font-normal text-text-3">{texts.optional}</span>}
      </label>
      <Link value={{ id, describedBy: describedBy || undefined, invalid: error !== undefined, required }}>
        {children}
      </Link>
      {hint !== undefined && (
        <p id={hintId} className="text-small text-text-3">
          {typeof hint === 'string' ? <CodeText text={hint} /> : hint}
        </p>
      )}
      {error !== undefined && (
        <p id={errorId} role="alert" className="text-small text-failed">
          {error}
        </p>
      )}
    </div>
  );
}

/**
 * Returns the attributes that connect a control with the label, hint and error of the surrounding `Field`.
 * Returns no attributes outside of a `Field`.
 */
export function useFieldAttributes() {
  const link = useContext(Link);
  if (link === null) return {};
  return {
    id: link.id,
    required: link.required,
    'aria-describedby': link.describedBy,
    'aria-invalid': link.invalid || undefined,
  };
}
