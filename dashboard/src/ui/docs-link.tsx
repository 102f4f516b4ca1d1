import { BookOpen } from 'lucide-react';
import { SERVICE_URL } from '../base-path.ts';

interface DocsLinkProps {
  /** Page of the docs site, such as `schedules`; without it, the start page. */
  readonly page?: string;
  readonly children: string;
}

/** A link to the docs site that the service serves, in a new tab. */
export function DocsLink({ page, children }: DocsLinkProps) {
  return (
    <a
      href={`${SERVICE_URL}/docs/${page === undefined ? '' : `${page}.html`}`}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1.5 rounded-sm py-1 text-accent hover:underline"
    >
      <BookOpen size={14} aria-hidden />
      {children}
    </a>
  );
}
