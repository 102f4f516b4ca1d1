import { LoadFailed } from './load-failed.tsx';
import { PageHeader, type PageHeaderProps } from './page-header.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface PendingPageProps extends Pick<PageHeaderProps, 'title' | 'heading' | 'crumbs'> {
  /** Error that prevented loading; null while the page is loading. */
  readonly error: unknown;
  readonly couldNotLoad: string;
  readonly onRetry: () => unknown;
}

/** Shown instead of a page whose data is loading or could not be loaded. */
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
