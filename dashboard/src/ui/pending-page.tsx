import { LoadFailed } from './load-failed.tsx';
import { PageHeader, type PageHeaderProps } from './page-header.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface PendingPageProps extends Pick<PageHeaderProps, 'title' | 'heading' | 'crumbs'> {
  /** Null while the page is loading. */
  readonly error: unknown;
  readonly couldNotLoad: string;
  readonly onRetry: () => unknown;
}

/** A page whose object is loading or could not be loaded. The loaded page replaces it as a whole. */
export function PendingPage({ error, couldNotLoad, onRetry, ...header }: PendingPageProps) {
  return (
    <>
      <PageHeader {...header} />
      {error === null ? (
        <SkeletonRows />
      ) : (
        <LoadFailed error={error} title={couldNotLoad} onRetry={onRetry} />
      )}
    </>
  );
}
