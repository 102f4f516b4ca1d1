const SCHEME = /^postgres(?:ql)?:\/\//;

/**
 * Splits a PostgreSQL URL into one URL for each server. For example, `postgres://me@a:5432,b/db` becomes
 * `postgres://me@a:5432/db` and `postgres://me@b/db`.
 */
export function serverUrls(url: string): readonly string[] {
  const scheme = SCHEME.exec(url)?.[0];
  if (scheme === undefined) return [url];
  const rest = url.slice(scheme.length);
  const end = rest.search(/[/?#]/);
  const [authority, path] = end < 0 ? [rest, ''] : [rest.slice(0, end), rest.slice(end)];
  const at = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(at).split(',');
  return hosts.map((host) => `${scheme}${authority.slice(0, at)}${host}${path}`);
}

/** Returns `host` or `host:port` of each server in a PostgreSQL URL. */
export function serverHosts(url: string): readonly string[] {
  return serverUrls(url).map((one) => new URL(one).host);
}

/**
 * Whether connections must use a server that accepts writes. True for a URL with several servers, and for a URL with
 * `target_session_attrs=read-write`.
 */
export function mustBeWritable(url: string): boolean {
  return serverUrls(url).length > 1 || targetOf(url) === 'read-write';
}

/**
 * Returns why a PostgreSQL URL is unusable, such as `must be a URL beginning with postgres://`. The caller puts the
 * name of the setting before the text. Returns undefined for a usable URL.
 */
export function postgresUrlFault(url: string): string | undefined {
  const servers = serverUrls(url);
  if (!servers.every((one) => URL.canParse(one)) || !SCHEME.test(url))
    return 'must be a URL beginning with postgres://, with a comma between several hosts, such as postgres://user:password@a:5432,b:5432/database';
  if (servers.length > 1 && servers.some((one) => new URL(one).hostname === ''))
    return 'has an empty host: write a host between two commas, such as postgres://user:password@a,b/database';
  const target = targetOf(url);
  if (target !== null && target !== 'read-write' && (target !== 'any' || servers.length > 1))
    return `has target_session_attrs=${target}, but the service must write: use read-write, or omit this parameter`;
  return undefined;
}

/** Returns a URL with `***` instead of the password, for display. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:/?#@]*):[^/?#]+@/i, '$1:***@').replace(/([?&]password=)[^&]*/, '$1***');
}

function targetOf(url: string): string | null {
  const [first = ''] = serverUrls(url);
  return URL.canParse(first) ? new URL(first).searchParams.get('target_session_attrs') : null;
}
