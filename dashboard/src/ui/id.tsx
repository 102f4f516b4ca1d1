import { CopyIcon } from './copy-button.tsx';

interface IdProps {
  readonly value: string;
  /** What it is the id of. */
  readonly of?: string;
  /** Shows all of it, not its end. */
  readonly whole?: boolean;
}

/** The end of an id: ids begin with the time, so those of one day begin alike. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(-8) : id;
}

/** An id. Shortened, it can still be copied whole. */
export function Id({ value, of, whole = false }: IdProps) {
  return (
    <span className="inline-flex items-center gap-0.5 align-bottom">
      <code className="mono break-all" title={whole ? undefined : value}>
        {whole ? value : shortId(value)}
      </code>
      <CopyIcon value={value} label={of === undefined ? 'Copy id' : `Copy id of ${of}`} />
    </span>
  );
}
