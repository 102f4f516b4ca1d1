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
 * Methods of all routes that match a path, in the format of the header `Allow`. Empty if no route matches.
 * @param except path of the catch-all route, which is not counted
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

export function readsAmong(methods: readonly string[]): readonly string[] {
  return methods.includes('GET') ? READS.filter((method) => methods.includes(method)) : [];
}
