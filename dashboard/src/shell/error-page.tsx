import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { queryClient } from '../api/index.ts';
import { texts } from '../texts/en/shell.ts';
import { Button, ErrorNote } from '../ui/index.ts';

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = async (): Promise<void> => {
    await queryClient.resetQueries();
    reset();
    await router.invalidate();
  };
  return (
    <div className="p-5">
      <h1 className="sr-only">{texts.pageFailedTitle}</h1>
      <ErrorNote error={error} title={texts.pageFailed}>
        <Button onClick={() => void again()}>{texts.tryAgain}</Button>
      </ErrorNote>
    </div>
  );
}
