import { useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, Moon, Sun, User } from 'lucide-react';
import { signOut, useSignIn } from '../api/index.ts';
import { texts } from '../texts/en/shell.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator, messageOf, useTheme, useToast } from '../ui/index.ts';

export function AccountMenu({ onShowKeys }: { readonly onShowKeys: () => void }) {
  const { user } = useSignIn();
  const [theme, toggleTheme] = useTheme();
  const navigate = useNavigate();
  const toast = useToast();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
      await navigate({ to: '/login' });
    } catch (error) {
      toast(texts.stillSignedIn(messageOf(error)));
    }
  };
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-left hover:bg-muted"
        >
          <span
            aria-hidden
            className="flex size-[22px] items-center justify-center rounded-full bg-muted text-label font-semibold text-text-2"
          >
            {user.name.slice(0, 1).toUpperCase()}
          </span>
          <span className="min-w-0 flex-1 truncate font-medium text-text-2">
            <span className="sr-only">{texts.account}</span>
            {user.name}
          </span>
        </button>
      }
    >
      <MenuLabel>{user.email}</MenuLabel>
      <MenuItem
        icon={<User size={14} aria-hidden />}
        onSelect={() => void navigate({ to: '/settings/profile' })}
      >
        {texts.profile}
      </MenuItem>
      <MenuItem
        icon={theme === 'dark' ? <Sun size={14} aria-hidden /> : <Moon size={14} aria-hidden />}
        onSelect={toggleTheme}
      >
        {theme === 'dark' ? texts.lightColors : texts.darkColors}
      </MenuItem>
      <MenuItem icon={<Keyboard size={14} aria-hidden />} onSelect={onShowKeys}>
        {texts.keyboardShortcuts}
      </MenuItem>
      <MenuSeparator />
      <MenuItem needsService icon={<LogOut size={14} aria-hidden />} onSelect={() => void leave()}>
        {texts.signOut}
      </MenuItem>
    </Menu>
  );
}
