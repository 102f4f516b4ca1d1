import { CircleAlert } from 'lucide-react';
import type { NodeError } from '../../../../src/execution-events/index.ts';
import { JsonTree } from '../../ui/index.ts';

/** Advice by error code; other codes get the general advice. */
const ADVICE: Readonly<Record<string, string>> = {
  http_status_error: 'The other side answered so. See its answer below, then retry from this node.',
  http_error:
    'The other side could not be reached. Check the address and that it runs, then retry from this node.',
  timeout: 'It took longer than it may. Raise timeout_seconds, or make the step smaller.',
  timeout_error: 'It took longer than it may. Raise timeout_seconds, or make the step smaller.',
  expression_error:
    'An expression of this node does not fit its data. Change the workflow, then run it again.',
  egress_refused: 'The service may not call this address. An operator can allow it in EGRESS_ALLOW.',
};
const GENERAL = 'Remove the cause, then retry from this node. What was done before it stays done.';

interface FaultNoteProps {
  readonly fault: NodeError;
  /** Whether the service retries automatically. */
  readonly isRetried: boolean;
}

/** The error of a node, with advice. */
export function FaultNote({ fault, isRetried }: FaultNoteProps) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start gap-2 text-failed">
        <CircleAlert size={14} aria-hidden className="mt-[3px] shrink-0" />
        <div className="min-w-0">
          <p className="break-words">{fault.message}</p>
          <p className="mono">{fault.code}</p>
        </div>
      </div>
      <p className="text-text-2">
        {isRetried ? 'It is tried again by itself.' : (ADVICE[fault.code] ?? GENERAL)}
      </p>
      {fault.details !== undefined && fault.details !== null && (
        <JsonTree value={fault.details} label="details of the error" />
      )}
    </div>
  );
}
