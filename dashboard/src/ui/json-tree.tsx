import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import { texts } from '../texts/en/ui.ts';
import { CopyIcon } from './copy-button.tsx';

/** Number of levels of the JSON tree that are initially open. */
const OPEN_LEVELS = 2;
/** Maximum number of entries per level that the JSON tree shows initially. */
const SHOWN_ENTRIES = 100;

interface JsonTreeProps {
  readonly value: unknown;
  readonly label: string;
}

/** A collapsible JSON tree with a copy button. */
export const JsonTree = memo(function JsonTree({ value, label }: JsonTreeProps) {
  return (
    <div className="relative rounded-md border border-border bg-muted">
      {/* The element is focusable, because keyboard users can scroll only a focused element. */}
      <div
        tabIndex={0}
        role="region"
        aria-label={label}
        className="mono max-h-[480px] overflow-auto p-2.5 pr-10"
      >
        <Entry name={null} value={value} level={0} />
      </div>
      <div className="absolute top-1.5 right-1.5">
        <CopyIcon value={JSON.stringify(value, null, 2) ?? 'undefined'} label={texts.copy(label)} />
      </div>
    </div>
  );
});

interface EntryProps {
  readonly name: string | null;
  readonly value: unknown;
  readonly level: number;
}

function Entry({ name, value, level }: EntryProps) {
  const key = name === null ? null : <span className="text-text-2">{name}: </span>;
  if (typeof value !== 'object' || value === null)
    return (
      <div className="break-words whitespace-pre-wrap">
        {key}
        <Leaf value={value} />
      </div>
    );
  return <Branch keyPart={key} name={name ?? texts.value} value={value} level={level} />;
}

interface BranchProps {
  readonly keyPart: ReactNode;
  readonly name: string;
  readonly value: object;
  readonly level: number;
}

function Branch({ keyPart, name, value, level }: BranchProps) {
  const [open, setOpen] = useState(level < OPEN_LEVELS);
  const [shown, setShown] = useState(SHOWN_ENTRIES);
  const isList = Array.isArray(value);
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  if (entries.length === 0)
    return (
      <div>
        {keyPart}
        {isList ? '[]' : '{}'}
      </div>
    );
  const size = isList ? texts.itemCount(entries.length) : texts.fieldCount(entries.length);
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-label={`${name}, ${size}`}
        onClick={() => setOpen(!open)}
        className="-ml-1 inline-flex min-h-6 items-center gap-0.5 rounded-sm px-1 text-left hover:bg-border"
      >
        {open ? <ChevronDown size={12} aria-hidden /> : <ChevronRight size={12} aria-hidden />}
        <span>
          {keyPart}
          <span className="text-text-3">{isList ? `[${size}]` : `{${size}}`}</span>
        </span>
      </button>
      {open && (
        <div className="ml-[5px] border-l border-border pl-3">
          {entries.slice(0, shown).map(([key, child]) => (
            <Entry key={key} name={key} value={child} level={level + 1} />
          ))}
          {entries.length > shown && (
            <button
              type="button"
              onClick={() => setShown(shown + SHOWN_ENTRIES)}
              className="min-h-6 text-accent hover:underline"
            >
              {texts.showMore(Math.min(SHOWN_ENTRIES, entries.length - shown))}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <span className="text-completed">{JSON.stringify(value)}</span>;
  if (typeof value === 'number') return <span className="text-running">{String(value)}</span>;
  return <span className="text-timed-out">{String(value)}</span>;
}
