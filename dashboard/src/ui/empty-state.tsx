import type { ReactNode } from 'react';
import { DocsLink } from './docs-link.tsx';

interface EmptyStateProps {
  readonly title: string;
  /** Text that explains what the list would contain and how to create an entry. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Name of the documentation page to link, such as `schedules`. */
  readonly docs?: string;
}

export function EmptyState({ title, children, action, docs }: EmptyStateProps) {
  return (
    <div className="mx-auto flex w-full max-w-md flex-col items-center px-5 py-16 text-center">
      <h2 className="text-title font-semibold">{title}</h2>
      {children !== undefined && <div className="mt-1 max-w-full text-text-2">{children}</div>}
      {action !== undefined && action !== false && <div className="mt-4">{action}</div>}
      {docs !== undefined && (
        <div className="mt-3">
          <DocsLink page={docs} />
        </div>
      )}
    </div>
  );
}
