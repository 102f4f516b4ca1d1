/** The path to open after signing in. Anything but a path of the dashboard is replaced, against open redirects. */
export function nextPage(given: string | undefined): string {
  if (given === undefined || !given.startsWith('/') || given.startsWith('//') || given.includes('\\'))
    return '/';
  return given.startsWith('/login') || given.startsWith('/setup') ? '/' : given;
}
