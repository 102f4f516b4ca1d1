import { texts } from '../texts/en/ui.ts';
import { CopyIcon } from './copy-button.tsx';

interface IdProps {
  readonly value: string;
  /** Kind of the object with this id. */
  readonly of?: string;
  /** Shows the whole id, not only its end. */
  readonly whole?: boolean;
}

/** The end of an id, because ids created on the same day begin alike. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(-8) : id;
}

/** An id, possibly shortened. The copy button copies the whole id. */
export function Id({ value, of, whole = false }: IdProps) {
  return (
    <span className="inline-flex items-center gap-0.5 align-bottom">
      <code className="mono break-all" title={whole ? undefined : value}>
        {whole ? value : shortId(value)}
      </code>
      <CopyIcon value={value} label={of === undefined ? texts.copyId : texts.copyIdOf(of)} />
    </span>
  );
}
