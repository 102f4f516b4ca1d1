import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { texts } from '../../texts/en/not-found.ts';
import { buttonClasses, EmptyState } from '../../ui/index.ts';

export function NotFoundPage() {
  useEffect(() => {
    document.title = texts.documentTitle;
  }, []);
  return (
    <main>
      <h1 className="sr-only">{texts.notFound}</h1>
      <EmptyState
        title={texts.pageNotFound}
        action={
          <Link to="/" className={buttonClasses()}>
            {texts.goToOverview}
          </Link>
        }
      >
        {texts.notFoundHint}
      </EmptyState>
    </main>
  );
}
