/** Where to go after signing in: a path of the dashboard, whatever the address says. */
export function nextPage(given: string | undefined): string {
  if (given === undefined || !given.startsWith('/') || given.startsWith('//') || given.includes('\\'))
    return '/';
  return given.startsWith('/login') || given.startsWith('/setup') ? '/' : given;
}
