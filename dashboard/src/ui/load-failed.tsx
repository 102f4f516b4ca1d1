import { RotateCw } from 'lucide-react';
import { texts } from '../texts/en/ui.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';

interface LoadFailedProps {
  readonly error: unknown;
  /** Sentence that names the failed action, such as `Could not load the run.` */
  readonly title: string;
  readonly onRetry: () => unknown;
}

/** Replaces the content of a page that could not be loaded, with a button that tries again. */
export function LoadFailed({ error, title, onRetry }: LoadFailedProps) {
  return (
    <div className="p-5">
      <ErrorNote error={error} title={title}>
        <Button icon={<RotateCw size={14} aria-hidden />} onClick={() => void onRetry()}>
          {texts.tryAgain}
        </Button>
      </ErrorNote>
    </div>
  );
}
