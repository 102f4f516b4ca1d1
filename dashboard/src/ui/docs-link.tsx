import { BookOpen } from 'lucide-react';
import { SERVICE_URL } from '../base-path.ts';
import { texts } from '../texts/en/ui.ts';

interface DocsLinkProps {
  /** Name of a documentation page, such as `schedules`; the start page if omitted. */
  readonly page?: string;
  readonly children?: string;
}

/** A link that opens the documentation in a new tab. */
export function DocsLink({ page, children = texts.readTheDocs }: DocsLinkProps) {
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
