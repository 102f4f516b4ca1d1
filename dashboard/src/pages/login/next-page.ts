/** The path to open after sign-in. Other sites are refused, to prevent open redirects. */
export function nextPage(given: string | undefined): string {
  if (given === undefined || !given.startsWith('/') || given.startsWith('//') || given.includes('\\'))
    return '/';
  return given.startsWith('/login') || given.startsWith('/setup') ? '/' : given;
}
