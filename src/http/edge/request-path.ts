export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

/** The path of `BASE_URL` without a trailing slash. Empty if `BASE_URL` is not set or has no path. */
export function basePathOf(baseUrl: string | undefined): string {
  return baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '');
}

/**
 * Removes the path of `BASE_URL` from a request target. Other targets stay unchanged, because some proxies already
 * remove that path.
 */
export function withoutBasePath(target: string, basePath: string): string {
  if (basePath === '' || !target.startsWith(basePath)) return target;
  const rest = target.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : target;
}
