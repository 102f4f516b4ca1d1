import { texts } from '../texts/en/ui.ts';
import { CopyIcon } from './copy-button.tsx';

interface IdProps {
  readonly value: string;
  /** Kind of object that the id identifies, for the label of the copy button. */
  readonly of?: string;
  /** Shows the whole id. By default, only the end of the id is shown. */
  readonly whole?: boolean;
}

/** Shortens an id to its last 8 characters, because ids that were created on the same day have equal beginnings. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(-8) : id;
}

/** Shows an id, shortened unless `whole` is set. The copy button always copies the whole id. */
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
