import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { texts } from '../texts/en/shell.ts';
import { classes, DocsLink, Kbd } from '../ui/index.ts';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { LiveDot } from './live-dot.tsx';
import { useSections } from './navigation.ts';
import { TeamSwitch } from './team-switch.tsx';

export interface SideBarProps {
  readonly onSearch: () => void;
  readonly onShowKeys: () => void;
}

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function SideBar({ onSearch, onShowKeys }: SideBarProps) {
  return (
    <div className="flex min-h-full flex-col gap-0.5 p-3">
      <div className="px-2 pt-1 pb-3">
        <Brand />
      </div>
      <TeamSwitch />
      <button
        type="button"
        onClick={onSearch}
        className="mb-1 flex items-center gap-2 rounded-sm px-2 py-[5px] font-medium text-text-2 hover:bg-muted hover:text-text"
      >
        <Search size={14} aria-hidden />
        {texts.search}
        <span className="ml-auto">
          <Kbd>{IS_APPLE ? '⌘K' : 'Ctrl K'}</Kbd>
        </span>
      </button>
      <nav aria-label={texts.primary} className="flex flex-col gap-0.5">
        {useSections().map(({ title, destinations }) => (
          // The entries for settings form two columns, so that the side bar fits into a height of 720 pixels.
          <div
            key={title}
            className={classes('gap-0.5', title === null ? 'flex flex-col' : 'grid grid-cols-2')}
          >
            {title !== null && <div className="label col-span-2 px-2 pt-3 pb-1">{title}</div>}
            {destinations.map(({ label, to, icon: Icon }) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className="flex items-center gap-2 rounded-sm px-2 py-[3px] font-medium text-text-2 hover:text-text aria-[current=page]:bg-muted aria-[current=page]:text-text"
              >
                {Icon !== undefined && <Icon size={14} aria-hidden className="shrink-0" />}
                {label}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className="sticky bottom-0 mt-auto flex flex-col gap-1 bg-bg pt-2 pb-1">
        <div className="flex items-center justify-between pr-2">
          <LiveDot />
          <DocsLink>{texts.docs}</DocsLink>
        </div>
        <AccountMenu onShowKeys={onShowKeys} />
      </div>
    </div>
  );
}
