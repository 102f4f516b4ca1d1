import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { buttonClasses, EmptyState } from '../../ui/index.ts';

export function NotFoundPage() {
  useEffect(() => {
    document.title = 'Not found · Workflow Service';
  }, []);
  return (
    <main>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        title="There is no such page"
        action={
          <Link to="/" className={buttonClasses()}>
            Go to the overview
          </Link>
        }
      >
        The address is mistyped, or what was here is gone.
      </EmptyState>
    </main>
  );
}
