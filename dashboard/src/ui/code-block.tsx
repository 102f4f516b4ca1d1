import { texts } from '../texts/en/ui.ts';
import { CopyIcon } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** Name of the content: `curl command`. */
  readonly label: string;
}

export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <div className="flex items-start rounded-md border border-border bg-muted">
      {/* Keyboard users can scroll an element only if it is focusable. */}
      <pre tabIndex={0} aria-label={label} role="group" className="mono min-w-0 flex-1 overflow-auto p-2.5">
        <code>{code}</code>
      </pre>
      {/* Beside the code, which scrolls sideways on a narrow screen. */}
      <div className="shrink-0 p-1.5">
        <CopyIcon value={code} label={texts.copy(label)} />
      </div>
    </div>
  );
}
