/** The used part of Express' router. */
export interface RouteTable {
  readonly stack: readonly {
    readonly route?:
      { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> } | undefined;
    match(path: string): unknown;
  }[];
}

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const READS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Methods of the routes that match a path, in the form of `Allow`; empty if none matches.
 * @param except the path of a route that matches everything
 */
export function allowedMethods(table: RouteTable, path: string, except: string): readonly string[] {
  const methods = new Set<string>();
  for (const layer of table.stack) {
    if (layer.route === undefined || layer.route.path === except || layer.match(path) === false) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.size === 0) return [];
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return ORDER.filter((method) => methods.has(method));
}

/** The read methods among a path's methods; empty if it has none. */
export function readsAmong(methods: readonly string[]): readonly string[] {
  return methods.includes('GET') ? READS.filter((method) => methods.includes(method)) : [];
}
