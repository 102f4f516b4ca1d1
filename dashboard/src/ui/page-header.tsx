import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { texts } from '../texts/en/ui.ts';

export interface Crumb extends Pick<LinkProps, 'to' | 'params'> {
  readonly label: string;
}

export interface PageHeaderProps {
  /** Title of the page, also shown in the browser tab. */
  readonly title: string;
  /** Content of the heading, if the heading should not show `title`. */
  readonly heading?: ReactNode;
  readonly crumbs?: readonly Crumb[];
  /** Content that is shown next to the heading. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
}

export function PageHeader({ title, heading, crumbs = [], beside, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = texts.documentTitle(title);
  }, [title]);
  return (
    <div className="flex min-h-[55px] shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-5 py-3">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
        {crumbs.length > 0 && (
          <nav aria-label={texts.breadcrumb} className="text-text-3">
            {crumbs.map(({ label, ...link }) => (
              <span key={label}>
                <Link {...link} className="hover:text-text hover:underline">
                  {label}
                </Link>
                <span aria-hidden> /</span>{' '}
              </span>
            ))}
          </nav>
        )}
        <h1 className="text-title font-semibold wrap-anywhere">{heading ?? title}</h1>
      </div>
      {beside}
      {actions !== undefined && actions !== false && (
        <div className="ml-auto flex flex-wrap items-center gap-2.5">{actions}</div>
      )}
    </div>
  );
}
