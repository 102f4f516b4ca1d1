import { type LinkProps, Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadChunk } from '../api/index.ts';
import { LiveProvider } from '../live/index.ts';
import { texts } from '../texts/en/shell.ts';
import { useShortcut, useTheme } from '../ui/index.ts';
import { Drawer } from './drawer.tsx';
import { useSections } from './navigation.ts';
import { Palette } from './palette.tsx';
import type { PaletteDialog } from './palette-commands.ts';
import { usePreferences } from './preferences.ts';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { SideBar } from './side-bar.tsx';

/**
 * The component `PaletteAction` is loaded on demand, because it imports dialogs from the code of several
 * pages.
 */
const PaletteAction = lazy(() =>
  loadChunk(() => import('./palette-action.tsx')).then((chunk) => ({ default: chunk.PaletteAction })),
);

export function Shell() {
  const [over, setOver] = useState<'palette' | 'sheet' | null>(null);
  const [dialog, setDialog] = useState<PaletteDialog | null>(null);
  const [, toggleTheme] = useTheme();
  usePreferences();
  useShortcut('t', texts.switchTheme, toggleTheme, { group: texts.everywhere });
  useShortcut('?', texts.keyboardShortcuts, () => setOver('sheet'), { group: texts.everywhere });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.metaKey || event.ctrlKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      // The palette does not open over a dialog, because that dialog may show a new API key, which is visible only
      // once.
      if (document.querySelector('[role="dialog"]') === null) setOver('palette');
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const openers = { onSearch: () => setOver('palette'), onShowKeys: () => setOver('sheet') };
  return (
    <LiveProvider>
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-16 rounded-sm bg-accent px-3 py-1.5 font-medium text-on-accent focus:translate-y-0"
      >
        {texts.skipToContent}
      </a>
      <div className="flex h-full flex-col md:grid md:grid-cols-[220px_minmax(0,1fr)] print:block print:h-auto">
        <aside
          aria-label={texts.sideBar}
          className="overflow-y-auto border-r border-border max-md:hidden print:hidden"
        >
          <SideBar {...openers} />
        </aside>
        <Drawer {...openers} />
        <main
          id="main"
          tabIndex={-1}
          className="flex min-h-0 min-w-0 flex-1 flex-col overflow-auto outline-none print:overflow-visible"
        >
          <Outlet />
        </main>
      </div>
      <GoKeys />
      <Palette open={over === 'palette'} onClose={() => setOver(null)} onDialog={setDialog} />
      {dialog !== null && (
        <Suspense>
          <PaletteAction dialog={dialog} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      <ShortcutSheet open={over === 'sheet'} onClose={() => setOver(null)} />
    </LiveProvider>
  );
}

function GoKeys() {
  return useSections()
    .flatMap(({ destinations }) => destinations)
    .map(({ keys, label, to }) =>
      keys === undefined ? null : <GoKey key={to} keys={keys} label={label} to={to} />,
    );
}

interface GoKeyProps {
  readonly keys: string;
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
}

function GoKey({ keys, label, to }: GoKeyProps) {
  const navigate = useNavigate();
  useShortcut(keys, texts.goTo(label), () => void navigate({ to }), { group: texts.everywhere });
  return null;
}
