import { NODE_ID, type NodeDefinition, type OnError } from './definition.js';
import {
  compileExpression,
  type Expression,
  ExpressionSyntaxError,
  at,
  type Fault,
  type JsonObject,
  compileTemplate,
  type Template,
} from '../expressions/index.js';
import type { GraphNode } from './graph.js';
import type { LiteralWait, NodeCapabilities, NodeTypeDescription } from '../node-contract/index.js';
import { type RetryPolicy, retryPolicy } from './retry.js';

/** A compiled graph, whose nodes are in topological order. */
export interface PlannedGraph {
  /** All nodes of the graph; each node comes after the nodes that it needs. */
  readonly order: readonly PlannedNode[];
  /** Nodes that no other node needs. */
  readonly last: readonly PlannedNode[];
  readonly output: Template | null;
}

export interface PlannedNode {
  readonly id: string;
  /** Display name of the node; null if the definition has none. */
  readonly name: string | null;
  readonly type: NodeTypeDescription;
  readonly needs: readonly string[];
  readonly condition: Expression | null;
  readonly with: Template;
  readonly retry: RetryPolicy;
  /** Maximum duration of one attempt in milliseconds; null if the definition of the node sets no timeout. */
  readonly timeoutMs: number | null;
  readonly onError: OnError;
  /**
   * Maximum age of a cached result of the node, in seconds. Applies only if the workflow enables the cache. Null if
   * results of the node are not cached.
   */
  readonly cacheTtlSeconds: number | null;
  /** The graph that runs for each item of a loop; null if the node is not a loop. */
  readonly body: PlannedBody | null;
}

/** Graph of the nodes inside a loop. */
export interface PlannedBody extends PlannedGraph {
  /** Whether the loop fails or continues after an item has failed. */
  readonly onItemError: OnError;
}

/** A node whose type has the capability `iterates`. */
export type PlannedLoop = PlannedNode & { readonly body: PlannedBody };

export function isLoop(node: PlannedNode): node is PlannedLoop {
  return node.body !== null;
}

/** Port to the installed node types. */
export interface NodeTypeCatalog {
  find(type: string): CatalogedNodeType | undefined;
  /** Names of all installed node types, for the error about an unknown type. */
  names(): readonly string[];
}

export interface CatalogedNodeType {
  readonly description: NodeTypeDescription;
  /**
   * Checks the parameters of a node before their expressions are evaluated.
   * @returns the errors of the parameters
   */
  checkDefinition(parameters: JsonObject, path: string): readonly Fault[];
  /** Returns the maximum wait of a node with the given parameters; null if the parameters contain no fixed duration. */
  literalWait(parameters: JsonObject): LiteralWait | null;
}

/** Names that expressions of a node can use. */
export const NODE_SCOPE = ['input', 'nodes', 'session', 'workflow', 'execution'] as const;

export interface CompiledNode extends GraphNode {
  /** The compiled node; null if the node type is unknown. */
  readonly node: PlannedNode | null;
  /** Whether the node is a loop whose body has a valid shape. */
  readonly iterates: boolean;
}

export function plannedOf(compiled: readonly CompiledNode[]): readonly PlannedNode[] {
  return compiled.map(({ node }) => node).filter((node) => node !== null);
}

/**
 * Compiles one node. For a loop, validates the shape of the body without compiling it.
 * @param scope names that expressions of the node can use, except secrets
 */
export function compileNode(
  definition: NodeDefinition,
  path: string,
  catalog: NodeTypeCatalog,
  faults: Fault[],
  scope: readonly string[] = NODE_SCOPE,
): CompiledNode {
  const { id } = definition;
  if (!NODE_ID.test(id))
    faults.push({
      path: at(path, 'id'),
      code: 'invalid_node_id',
      message:
        'A node id starts with a lower-case letter, followed by lower-case letters, digits and underscores, and has at most 64 characters.',
    });
  const type = catalog.find(definition.type);
  if (type === undefined)
    faults.push({
      path: at(path, 'type'),
      code: 'unknown_node_type',
      message: `There is no node type "${definition.type}". Known types: ${catalog.names().join(', ')}.`,
    });
  const parameters = definition.with ?? {};
  const iterates = type?.description.capabilities.iterates === true;
  const { template, faults: templateFaults } = compileTemplate(
    iterates ? loopParameters(parameters) : parameters,
    at(path, 'with'),
    // The journal records the items of a loop, so the expressions for the items must not use secrets.
    iterates ? scope : [...scope, 'secrets'],
    type === undefined ? [] : literalProperties(type.description.schema),
  );
  faults.push(...templateFaults);
  const shapeFaults = type?.checkDefinition(parameters, at(path, 'with')) ?? [];
  faults.push(...shapeFaults);
  const condition =
    definition.if === undefined ? null : compileCondition(definition.if, at(path, 'if'), faults, scope);
  const needs = new Map<string, string>();
  for (const need of condition?.references.nodes ?? []) needs.set(need, at(path, 'if'));
  for (const [need, place] of template.places) needs.set(need, place);
  definition.needs?.forEach((need, index) => needs.set(need, at(path, 'needs', index)));
  if (type === undefined) return { id, needs, path, node: null, iterates: false };
  return {
    id,
    needs,
    path,
    iterates: iterates && shapeFaults.length === 0,
    node: {
      id,
      name: definition.name ?? null,
      type: type.description,
      needs: [...needs.keys()],
      condition,
      with: template,
      retry: retryPolicy(definition.retry),
      timeoutMs: definition.timeout_seconds === undefined ? null : definition.timeout_seconds * 1_000,
      onError: definition.on_error ?? 'fail',
      cacheTtlSeconds: cacheTtl(definition, type.description.capabilities),
      body: null,
    },
  };
}

const DEFAULT_CACHE_TTL_SECONDS = 86_400;

function cacheTtl({ cache }: NodeDefinition, type: NodeCapabilities): number | null {
  if (type.cacheable === true) return cache?.ttl_seconds ?? DEFAULT_CACHE_TTL_SECONDS;
  return type.cacheableOnRequest === true && cache !== undefined ? cache.ttl_seconds : null;
}

/** Names of the properties that the schema marks with `x-literal`. Their values are not rendered as templates. */
function literalProperties(schema: JsonObject): readonly string[] {
  return Object.entries(schema['properties'] ?? {})
    .filter(([, property]) => (property as JsonObject)['x-literal'] === true)
    .map(([name]) => name);
}

/** The parameters of a loop that are rendered once for the whole loop. */
function loopParameters({ items, max_concurrency }: JsonObject): JsonObject {
  return {
    ...(items === undefined ? {} : { items }),
    ...(max_concurrency === undefined ? {} : { max_concurrency }),
  };
}

function compileCondition(
  source: string,
  path: string,
  faults: Fault[],
  scope: readonly string[],
): Expression | null {
  try {
    return compileExpression(source, scope);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    faults.push({ path, code: error.code, message: error.message });
    return null;
  }
}
