// Sets the theme before the first paint: the theme stored in this browser, or the theme of the
// system.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // The browser may block local storage. The theme of the system then applies.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}
