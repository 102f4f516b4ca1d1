export interface DefinedNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly needs?: readonly string[];
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly retry?: { readonly max_attempts: number };
}

export interface GraphNode {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly maxAttempts: number;
  /** Ids of the nodes on which the node depends: first the ids in its `needs`, then the ids in its expressions. */
  readonly needs: readonly string[];
  readonly neededBy: readonly string[];
  readonly body: readonly GraphNode[];
}

/** Matches references to nodes in expressions, such as `nodes.fetch` and `nodes["fetch"]`. */
const MENTION = /\bnodes(?:\.\??|\[\s*\\*["'])([a-z][a-z0-9_]{0,63})/g;

/** The graph of a definition, sorted so that each node comes after its dependencies. */
export function graphOf(defined: readonly DefinedNode[]): readonly GraphNode[] {
  const ids = new Set(defined.map(({ id }) => id));
  const needs = new Map(defined.map((node) => [node.id, needsOf(node, ids)]));
  const nodes = new Map(
    defined.map((node) => [
      node.id,
      {
        id: node.id,
        type: node.type,
        name: node.name ?? node.id,
        maxAttempts: node.retry?.max_attempts ?? 1,
        needs: needs.get(node.id) ?? [],
        neededBy: defined.filter(({ id }) => needs.get(id)?.includes(node.id)).map(({ id }) => id),
        body: graphOf(bodyOf(node)),
      },
    ]),
  );
  const order = new Map<string, GraphNode>();
  const visit = (id: string): void => {
    const node = nodes.get(id);
    if (node === undefined || order.has(id)) return;
    for (const need of node.needs) visit(need);
    order.set(id, node);
  };
  for (const { id } of defined) visit(id);
  return [...order.values()];
}

function needsOf(node: DefinedNode, known: ReadonlySet<string>): readonly string[] {
  const expressions = JSON.stringify([node.with ?? {}, node.if ?? '']);
  const mentioned = [...expressions.matchAll(MENTION)].map(([, id]) => id ?? '');
  return [...new Set([...(node.needs ?? []), ...mentioned])].filter((id) => known.has(id) && id !== node.id);
}

function bodyOf({ with: parameters }: DefinedNode): readonly DefinedNode[] {
  const nodes = parameters?.['nodes'];
  return Array.isArray(nodes) ? nodes.filter(isDefinedNode) : [];
}

function isDefinedNode(value: unknown): value is DefinedNode {
  return typeof value === 'object' && value !== null && 'id' in value && 'type' in value;
}
