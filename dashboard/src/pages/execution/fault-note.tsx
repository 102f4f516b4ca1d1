import { CircleAlert } from 'lucide-react';
import type { NodeError } from '../../../../src/execution-events/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { JsonTree } from '../../ui/index.ts';

/** Advice for the user, by error code of the failed node. */
const ADVICE: Readonly<Record<string, string>> = {
  http_status_error: texts.serverReturnedError,
  http_error: texts.serverUnreachable,
  timeout: texts.timedOutHint,
  timeout_error: texts.timedOutHint,
  expression_error: texts.expressionFailedHint,
  egress_refused: texts.egressDeniedHint,
};
const GENERAL = texts.failedHint;

interface FaultNoteProps {
  readonly fault: NodeError;
  /** Whether the service will retry the node automatically. */
  readonly isRetried: boolean;
}

/** Shows the error of a node, with advice for the user. */
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
      <p className="text-text-2">{isRetried ? texts.retryingHint : (ADVICE[fault.code] ?? GENERAL)}</p>
      {fault.details !== undefined && fault.details !== null && (
        <JsonTree value={fault.details} label={texts.errorDetails} />
      )}
    </div>
  );
}
