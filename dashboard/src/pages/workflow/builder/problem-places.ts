import { type Address, bodyOf, type Definition } from './definition.ts';
import { pathSteps } from '../../../editor/json-place.ts';
import type { Problem } from '../../../editor/json-editor.tsx';

export function problemAddress({ nodes }: Definition, { field }: Problem): Address | null {
  const [list, index, parameters, body, place] = pathSteps(field);
  if (list !== 'nodes' || typeof index !== 'number') return null;
  const node = nodes[index];
  if (node === undefined) return null;
  const isInside = parameters === 'with' && body === 'nodes' && typeof place === 'number';
  const inner = isInside ? bodyOf(node)[place] : undefined;
  return inner === undefined ? { loop: null, id: node.id } : { loop: node.id, id: inner.id };
}

/** Converts the path of a problem in a definition to the path within its node, such as `with.url`. */
export function fieldInNode(field: string, { loop }: Address): string {
  const parts = loop === null ? /^nodes\[\d+\]\.?/ : /^nodes\[\d+\]\.with\.nodes\[\d+\]\.?/;
  return field.replace(parts, '');
}
