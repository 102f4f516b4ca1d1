/** The path to open after sign-in. A URL of another site is replaced by `/`, to prevent open redirects. */
export function nextPage(given: string | undefined): string {
  if (given === undefined || !given.startsWith('/') || given.startsWith('//') || given.includes('\\'))
    return '/';
  return given.startsWith('/login') || given.startsWith('/setup') ? '/' : given;
}
