import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { texts } from '../texts/en/ui.ts';
import { Id } from './id.tsx';

interface ErrorNoteProps {
  readonly error: unknown;
  /** Sentence that names the failed action, such as `Could not load the runs.` */
  readonly title?: string;
  readonly children?: ReactNode;
}

/** Shows an error and the id of the failed request, by which operators can find the request in the log. */
export function ErrorNote({ error, title, children }: ErrorNoteProps) {
  // The request id is hidden for status 400, because users can correct invalid input without the log.
  const requestId = error instanceof ApiError && error.status !== 400 ? error.requestId : null;
  return (
    <div role="alert" className="rounded-md bg-failed-soft px-3 py-2 text-failed">
      <div className="flex items-start gap-2">
        <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
        <div className="min-w-0 flex-1">
          {title !== undefined && <p className="font-medium">{title}</p>}
          <p className="break-words">{messageOf(error)}</p>
          {requestId !== null && (
            <p className="mt-1 text-small">{texts.request(<Id value={requestId} whole />)}</p>
          )}
        </div>
        {children}
      </div>
    </div>
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
