import type { NodeDto } from '../../../api/index.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';

/** The versioned part of a workflow. The builder keeps all fields that it does not know unchanged. */
export interface Definition {
  readonly nodes: readonly NodeDto[];
  readonly [field: string]: unknown;
}

/**
 * Identifies a node by its id and by the id of the loop that contains the node. `loop` is null outside loops. Loops
 * cannot contain loops.
 */
export interface Address {
  readonly loop: string | null;
  readonly id: string;
}

/** A dependency of a node on another node. The cause is an entry in `needs`, a reference in an expression, or both. */
export interface Need {
  readonly id: string;
  readonly listed: boolean;
  readonly referenced: boolean;
}

/** Thrown when an edit of a definition is impossible. The builder shows the message to the user. */
export class EditError extends Error {
  override readonly name = 'EditError';
}

const ID = /^[a-z][a-z0-9_]{0,63}$/;
const EXPRESSION = /\{\{[\s\S]*?\}\}/g;
const REFERENCE = /\bnodes(?:\.([a-z][a-z0-9_]*)|\[["']([a-z][a-z0-9_]*)["']\])/g;

/** The address of a node as one string: `charge`, or `each/charge` inside the loop `each`. */
export function addressKey({ loop, id }: Address): string {
  return loop === null ? id : `${loop}/${id}`;
}

export function addressOf(key: string): Address {
  const [first = '', second] = key.split('/');
  return second === undefined ? { loop: null, id: first } : { loop: first, id: second };
}

/** The nodes in the body of the loop `loop`. If `loop` is null, the nodes outside loops. */
export function nodesIn(definition: Definition, loop: string | null): readonly NodeDto[] {
  if (loop === null) return definition.nodes;
  return bodyOf(definition.nodes.find(({ id }) => id === loop));
}

export function bodyOf(node: NodeDto | undefined): readonly NodeDto[] {
  const nodes = node?.with?.['nodes'];
  return Array.isArray(nodes) ? (nodes as readonly NodeDto[]).filter(isNode) : [];
}

export function nodeAt(definition: Definition, { loop, id }: Address): NodeDto | undefined {
  return nodesIn(definition, loop).find((node) => node.id === id);
}

/** The addresses of all nodes. The address of a loop comes before the addresses of the nodes in its body. */
export function addressesOf(definition: Definition, loops: ReadonlySet<string>): readonly Address[] {
  return definition.nodes.flatMap((node) => [
    { loop: null, id: node.id },
    ...(loops.has(node.type) ? bodyOf(node).map(({ id }) => ({ loop: node.id, id })) : []),
  ]);
}

export function needsOf(node: NodeDto, siblings: readonly NodeDto[]): readonly Need[] {
  const listed = new Set(node.needs ?? []);
  const referenced = referencesOf(node);
  return siblings
    .filter(({ id }) => id !== node.id && (listed.has(id) || referenced.has(id)))
    .map(({ id }) => ({ id, listed: listed.has(id), referenced: referenced.has(id) }));
}

/** Ids of the nodes to which the condition and the parameters of a node refer. */
export function referencesOf({ if: condition = '', with: parameters = {} }: NodeDto): ReadonlySet<string> {
  const inside = [...JSON.stringify(parameters).matchAll(EXPRESSION)].map(([text]) => unescapeQuotes(text));
  return new Set(
    [condition, ...inside].flatMap((text) =>
      [...text.matchAll(REFERENCE)].map(([, dotted, quoted]) => dotted ?? quoted ?? ''),
    ),
  );
}

/**
 * Adds a node, which depends on the node `after` unless `after` is null.
 * @returns the new definition, and the address of the new node
 */
export function addNode(
  definition: Definition,
  loop: string | null,
  node: Omit<NodeDto, 'id'>,
  after: string | null = null,
): { readonly definition: Definition; readonly address: Address } {
  const id = freeId(node.type, takenIds(definition));
  const needs = after === null ? {} : { needs: [after] };
  const { type, ...rest } = node;
  const added: NodeDto = { id, type, ...needs, ...rest };
  return {
    definition: withNodes(definition, loop, (nodes) => [...nodes, added]),
    address: { loop, id },
  };
}

/**
 * Removes nodes, and removes their ids from the `needs` of other nodes. References in expressions stay, and the
 * validation reports them as problems.
 */
export function removeNodes(definition: Definition, addresses: readonly Address[]): Definition {
  return addresses.reduce(
    (current, { loop, id }) =>
      withNodes(current, loop, (nodes) =>
        nodes.filter((node) => node.id !== id).map((node) => withoutNeed(node, id)),
      ),
    definition,
  );
}

/**
 * Changes the id of a node, and every `needs` and expression that refers to the node.
 * @throws EditError if the new id is malformed or already in use
 */
export function renameNode(definition: Definition, address: Address, id: string): Definition {
  if (id === address.id) return definition;
  if (!ID.test(id)) throw new EditError(texts.idRule);
  if (takenIds(definition).has(id)) throw new EditError(texts.idTaken(id));
  const rename = (node: NodeDto): NodeDto => renamedReferences(node, address.id, id);
  const renamed = withNodes(definition, address.loop, (nodes) =>
    nodes.map((node) => (node.id === address.id ? { ...node, id } : rename(node))),
  );
  if (address.loop !== null)
    return updateNode(renamed, { loop: null, id: address.loop }, (loop) => ({
      ...loop,
      with: { ...loop.with, output: renamedInText(loop.with?.['output'], address.id, id) },
    }));
  if (renamed['output'] === undefined) return renamed;
  return { ...renamed, output: renamedInText(renamed['output'], address.id, id) };
}

/**
 * Makes the node `to` depend on the node `from`.
 * @throws EditError if the dependency closes a cycle, or if a loop contains only one of the two nodes
 */
export function connect(definition: Definition, from: Address, to: Address): Definition {
  if (from.loop !== to.loop) throw new EditError(texts.sameLevelOnly);
  if (from.id === to.id) throw new EditError(texts.ownCycle);
  const nodes = nodesIn(definition, to.loop);
  if (reaches(nodes, to.id, from.id)) throw new EditError(texts.cycle(from.id, to.id));
  return updateNode(definition, to, (node) =>
    node.needs?.includes(from.id) === true ? node : { ...node, needs: [...(node.needs ?? []), from.id] },
  );
}

export function disconnect(definition: Definition, from: Address, to: Address): Definition {
  const node = nodeAt(definition, to);
  if (node !== undefined && referencesOf(node).has(from.id))
    throw new EditError(texts.usedByExpression(to.id, from.id));
  return updateNode(definition, to, (each) => withoutNeed(each, from.id));
}

/** Moves a node into or out of a loop. The dependencies between the node and its previous siblings are removed. */
export function moveNode(
  definition: Definition,
  address: Address,
  loop: string | null,
): { readonly definition: Definition; readonly address: Address } {
  const node = nodeAt(definition, address);
  if (node === undefined || address.loop === loop) return { definition, address };
  if (loop === address.id) throw new EditError(texts.loopIntoItself);
  const moved = withNodes(removeNodes(definition, [address]), loop, (nodes) => [
    ...nodes,
    withoutNeeds(node),
  ]);
  return { definition: moved, address: { loop, id: node.id } };
}

export function updateNode(
  definition: Definition,
  { loop, id }: Address,
  change: (node: NodeDto) => NodeDto,
): Definition {
  return withNodes(definition, loop, (nodes) => nodes.map((node) => (node.id === id ? change(node) : node)));
}

/** Converts nodes to JSON for the clipboard. A loop includes the nodes of its body. */
export function copyNodes(definition: Definition, addresses: readonly Address[]): string {
  return JSON.stringify(
    addresses.flatMap((address) => nodeAt(definition, address) ?? []),
    null,
    2,
  );
}

/**
 * Adds the nodes of a JSON text from the clipboard. An id that is already in use gets a new value, and
 * references between the pasted nodes change accordingly.
 * @throws EditError if the text is neither a node nor a list of nodes
 */
export function pasteNodes(
  definition: Definition,
  loop: string | null,
  text: string,
): { readonly definition: Definition; readonly addresses: readonly Address[] } {
  const pasted = parsedNodes(text);
  const taken = new Set(takenIds(definition));
  const ids = new Map<string, string>();
  for (const { id } of pasted) {
    const free = taken.has(id) ? freeId(id.replace(/_\d+$/, ''), taken) : id;
    taken.add(free);
    ids.set(id, free);
  }
  const known = new Set([...ids.keys(), ...nodesIn(definition, loop).map(({ id }) => id)]);
  const renamed = pasted.map((node) => {
    const kept = { ...node, ...(node.needs && { needs: node.needs.filter((id) => known.has(id)) }) };
    const own = [...ids].reduce((each, [before, after]) => renamedReferences(each, before, after), kept);
    return { ...own, id: ids.get(node.id) ?? node.id };
  });
  return {
    definition: withNodes(definition, loop, (nodes) => [...nodes, ...renamed]),
    addresses: renamed.map(({ id }) => ({ loop, id })),
  };
}

function parsedNodes(text: string): readonly NodeDto[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new EditError(texts.clipboardEmpty);
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0 || !list.every(isNode)) throw new EditError(texts.clipboardEmpty);
  return list;
}

export function isNode(value: unknown): value is NodeDto {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'type' in value &&
    typeof value.type === 'string'
  );
}

function withNodes(
  definition: Definition,
  loop: string | null,
  change: (nodes: readonly NodeDto[]) => readonly NodeDto[],
): Definition {
  if (loop === null) return { ...definition, nodes: change(definition.nodes) };
  return {
    ...definition,
    nodes: definition.nodes.map((node) =>
      node.id === loop ? { ...node, with: { ...node.with, nodes: change(bodyOf(node)) } } : node,
    ),
  };
}

/** The node ids that are in use. Ids are unique in the whole workflow, including nodes inside loops. */
function takenIds(definition: Definition): ReadonlySet<string> {
  return new Set(definition.nodes.flatMap((node) => [node.id, ...bodyOf(node).map(({ id }) => id)]));
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  const base =
    wanted
      .toLowerCase()
      .replace(/[^a-z0-9_]+/g, '_')
      .replace(/^[^a-z]+/, '')
      .slice(0, 58) || 'node';
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}

function withoutNeed(node: NodeDto, id: string): NodeDto {
  if (node.needs?.includes(id) !== true) return node;
  const needs = node.needs.filter((need) => need !== id);
  return needs.length === 0 ? withoutNeeds(node) : { ...node, needs };
}

function withoutNeeds({ needs: _needs, ...rest }: NodeDto): NodeDto {
  return rest;
}

function reaches(nodes: readonly NodeDto[], from: string, to: string): boolean {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const seen = new Set<string>();
  const waits = (id: string): boolean => {
    if (id === from) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    const node = byId.get(id);
    return node !== undefined && needsOf(node, nodes).some((need) => waits(need.id));
  };
  return waits(to);
}

function renamedReferences(node: NodeDto, before: string, after: string): NodeDto {
  return {
    ...node,
    ...(node.needs && { needs: node.needs.map((need) => (need === before ? after : need)) }),
    ...(node.if !== undefined && { if: renamedInExpression(node.if, before, after) }),
    ...(node.with && { with: renamedInText(node.with, before, after) }),
  };
}

/**
 * Replaces the id of a node in a JSON value: in all expressions, and in the fields `needs` and `if` of the
 * nodes of a loop.
 */
function renamedInText<T>(value: T, before: string, after: string): T {
  if (typeof value === 'string')
    return value.replace(EXPRESSION, (text) => renamedInExpression(text, before, after)) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => renamedInText(each, before, after)) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (isNode(value)) return renamedReferences(value, before, after) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, renamedInText(each as unknown, before, after)]),
  ) as T;
}

function renamedInExpression(text: string, before: string, after: string): string {
  return text.replace(REFERENCE, (reference, dotted?: string, quoted?: string) =>
    (dotted ?? quoted) !== before ? reference : dotted === undefined ? `nodes["${after}"]` : `nodes.${after}`,
  );
}

function unescapeQuotes(text: string): string {
  return text.replaceAll('\\"', '"');
}
