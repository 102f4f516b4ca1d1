import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { queryClient } from '../api/index.ts';
import { Button, ErrorNote } from '../ui/index.ts';

/** Shown if a page fails to render. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = async (): Promise<void> => {
    await queryClient.resetQueries();
    reset();
    await router.invalidate();
  };
  return (
    <div className="p-5">
      <h1 className="sr-only">This page could not be shown</h1>
      <ErrorNote error={error} title="This page could not be shown.">
        <Button onClick={() => void again()}>Try again</Button>
      </ErrorNote>
    </div>
  );
}
