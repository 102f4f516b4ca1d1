import { texts } from '../texts/en/ui.ts';
import { classes } from './classes.ts';

export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={classes('block animate-pulse rounded-sm bg-muted', className)} />;
}

export function SkeletonRows({ rows = 8 }: { readonly rows?: number }) {
  return (
    <div role="status" aria-label={texts.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-10 items-center gap-6 border-b border-border px-5">
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 w-20" />
          <Skeleton className="ml-auto h-3 w-24" />
        </div>
      ))}
    </div>
  );
}
