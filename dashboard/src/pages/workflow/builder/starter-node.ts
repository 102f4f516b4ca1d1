import type { NodeDto, NodeTypeView } from '../../../api/index.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';

type Schema = Readonly<Record<string, unknown>>;

export function starterNode({ type, schema, capabilities }: NodeTypeView): Omit<NodeDto, 'id'> {
  if (capabilities.iterates) return { type, with: { items: [], nodes: [] } };
  // If the schema lists alternatives in `oneOf` or `anyOf`, the new node gets the required parameters of the first
  // alternative.
  const [branch] = listOf(schema['oneOf'] ?? schema['anyOf']);
  const required = [...listOf(schema['required']), ...(isRecord(branch) ? listOf(branch['required']) : [])];
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const example = listOf(schema['examples']).find(isRecord) ?? {};
  const parameters = Object.fromEntries(
    required.flatMap((name) =>
      typeof name === 'string' ? [[name, starterValue(properties[name], example[name])] as const] : [],
    ),
  );
  return Object.keys(parameters).length === 0 ? { type } : { type, with: parameters };
}

function starterValue(schema: unknown, example: unknown): unknown {
  const known = isRecord(schema) ? schema : {};
  if (known['default'] !== undefined) return known['default'];
  if (example !== undefined) return example;
  switch (known['type']) {
    case 'string':
      return known['format'] === 'uri' || JSON.stringify(known['pattern'] ?? '').includes('[tT][pP]')
        ? 'https://example.com/'
        : known['minLength'] === undefined
          ? ''
          : (known['title'] ?? texts.text);
    case 'number':
    case 'integer':
      return Math.max(1, Number(known['minimum'] ?? 1));
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return '';
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
