import { readStored, store, useStored } from './stored.ts';

export type Theme = 'light' | 'dark';

const NAME = 'theme';

/**
 * Returns the current color theme and a function that toggles it. The script `public/theme.js` applies the theme before
 * the first paint.
 */
export function useTheme(): readonly [theme: Theme, toggle: () => void] {
  const [stored] = useStored(NAME);
  const theme = stored === 'light' || stored === 'dark' ? stored : shownTheme();
  return [theme, toggleTheme];
}

function toggleTheme(): void {
  const next = shownTheme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = next;
  store(NAME, next);
}

function shownTheme(): Theme {
  return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
}

/** The theme follows the operating system until the user chooses a theme. */
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
  if (readStored(NAME) === null) document.documentElement.dataset['theme'] = matches ? 'dark' : 'light';
});
