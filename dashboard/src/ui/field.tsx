import { createContext, type ReactNode, useContext, useId } from 'react';

/** What a control inside a field says of itself. */
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
  /** Says what to do; shown in place and read out. */
  readonly error?: ReactNode;
  readonly required?: boolean;
  /** One `Input`, `Select` or `TextArea`. */
  readonly children: ReactNode;
}

/** A label, its control, and what there is to say about it. */
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
        {!required && <span className="ml-1 font-normal text-text-3">(optional)</span>}
      </label>
      <Link value={{ id, describedBy: describedBy || undefined, invalid: error !== undefined, required }}>
        {children}
      </Link>
      {hint !== undefined && (
        <p id={hintId} className="text-small text-text-3">
          {hint}
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

/** Attributes by which a control belongs to the field around it; none outside of one. */
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
