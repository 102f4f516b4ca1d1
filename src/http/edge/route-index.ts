import type { IncomingMessage, ServerResponse } from 'node:http';

type Next = (error?: unknown) => void;

export interface IndexedRouter {
  readonly stack: readonly { readonly route?: { readonly path: unknown } | undefined }[];
  handle(request: IncomingMessage, response: ServerResponse, next: Next): void;
}

type RoutedRequest = IncomingMessage & { readonly path: string };

const PARAMETER = /^:\w+$/;
const LITERAL = /^[\w.-]*$/;

/** Number of leading path segments by which routes are indexed, with the empty segment before the first slash. */
const INDEXED = 3;

/**
 * Finds routes by an index of their first two path segments, whereas Express compares a path with all routes one after
 * another.
 * @returns middleware that calls `next` if no indexed route responds
 */
export function indexedRoutes(
  router: IndexedRouter,
): (request: RoutedRequest, response: ServerResponse, next: Next) => void {
  let indexed = 0;
  let routers: ReadonlyMap<string, IndexedRouter> = new Map();
  return (request, response, next) => {
    if (indexed !== router.stack.length) {
      indexed = router.stack.length;
      routers = routersByKey(router);
    }
    const candidates = routers.get(keyOf(request.path));
    // The response to `OPTIONS` must list the methods of all matching routes. Express handles these requests,
    // because the index lacks routes with wildcards.
    if (candidates === undefined || request.method === 'OPTIONS') next();
    else candidates.handle(request, response, next);
  };
}

function routersByKey(router: IndexedRouter): ReadonlyMap<string, IndexedRouter> {
  const layers = router.stack.flatMap((layer) => {
    const path = layer.route?.path;
    if (typeof path !== 'string') return [];
    const segments = plainSegments(path);
    return segments === null ? [] : [{ layer, path, segments }];
  });
  const keys = new Map(layers.map(({ path, segments }) => [keyOf(path), segments]));
  return new Map(
    [...keys].map(([key, wanted]) => {
      const stack = layers.filter(({ segments }) => mayMatch(segments, wanted)).map(({ layer }) => layer);
      return [key, Object.create(router, { stack: { value: stack } }) as IndexedRouter];
    }),
  );
}

/**
 * The segments of a route's path. Null if the path contains anything but literal segments and parameters, such as a
 * wildcard.
 */
function plainSegments(path: string): readonly string[] | null {
  const segments = segmentsOf(path);
  return segments.every((segment) => PARAMETER.test(segment) || LITERAL.test(segment)) ? segments : null;
}

/** The segments of a path. The first segment is empty, because a path begins with a slash. */
function segmentsOf(path: string): readonly string[] {
  return path.slice(0, endOf(path)).split('/');
}

/** The index after the last segment of a path. A slash at the end does not begin a segment. */
function endOf(path: string): number {
  return path.endsWith('/') ? path.length - 1 : path.length;
}

/**
 * The number of segments of a path, followed by its indexed segments. Does not split the path, because every request
 * calls this function.
 */
function keyOf(path: string): string {
  const end = endOf(path);
  let segments = 1;
  let indexedEnd = end;
  for (let slash = path.indexOf('/'); slash >= 0 && slash < end; slash = path.indexOf('/', slash + 1)) {
    if (segments === INDEXED) indexedEnd = slash;
    segments += 1;
  }
  return segments + path.slice(0, indexedEnd);
}

function mayMatch(segments: readonly string[], wanted: readonly string[]): boolean {
  return (
    segments.length === wanted.length &&
    segments.slice(0, INDEXED).every((segment, index) => PARAMETER.test(segment) || segment === wanted[index])
  );
}
