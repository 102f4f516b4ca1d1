import { CopyIcon } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** Describes the content for screen readers and on the copy button: `curl command`. */
  readonly label: string;
}

export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <div className="relative">
      {/* Scrollable elements must be focusable by keyboard. */}
      <pre
        tabIndex={0}
        aria-label={label}
        role="group"
        className="mono overflow-auto rounded-md border border-border bg-muted p-2.5 pr-10"
      >
        <code>{code}</code>
      </pre>
      <div className="absolute top-1.5 right-1.5">
        <CopyIcon value={code} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
