import { useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { texts } from '../texts/en/shell.ts';
import { IconButton } from '../ui/index.ts';
import { Brand } from './brand.tsx';
import { SideBar, type SideBarProps } from './side-bar.tsx';

export function Drawer({ onSearch, onShowKeys }: SideBarProps) {
  const address = useRouterState({ select: ({ location }) => location.href });
  // URL of the page on which the menu was opened. Navigation changes the URL, so it closes the menu.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const setOpen = (open: boolean): void => setOpenAt(open ? address : null);
  const open = openAt === address;
  const then = (act: () => void) => (): void => {
    setOpen(false);
    act();
  };
  return (
    <header
      aria-label={texts.menu}
      className="flex items-center gap-2 border-b border-border px-3 py-2 md:hidden print:hidden"
    >
      <IconButton
        label={texts.menu}
        icon={<MenuIcon size={18} />}
        aria-expanded={open}
        onClick={() => setOpen(true)}
      />
      <Brand />
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Portal>
          <div data-backdrop className="fixed inset-0 z-30 bg-[rgb(10_12_16/0.45)]" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-40 w-[260px] overflow-y-auto border-r border-border bg-bg"
          >
            <Dialog.Title className="sr-only">{texts.menu}</Dialog.Title>
            <SideBar onSearch={then(onSearch)} onShowKeys={then(onShowKeys)} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  );
}
