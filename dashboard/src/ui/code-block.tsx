import { texts } from '../texts/en/ui.ts';
import { CopyIcon } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** Name of the code for screen readers, such as `curl command`. */
  readonly label: string;
}

export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <div className="flex items-start rounded-md border border-border bg-muted">
      {/* The element is focusable, because keyboard users can scroll only a focused element. */}
      <pre tabIndex={0} aria-label={label} role="group" className="mono min-w-0 flex-1 overflow-auto p-2.5">
        <code>{code}</code>
      </pre>
      {/* The copy button is next to the code, not over the code, because long code scrolls sideways. */}
      <div className="shrink-0 p-1.5">
        <CopyIcon value={code} label={texts.copy(label)} />
      </div>
    </div>
  );
}
