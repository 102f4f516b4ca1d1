import type { NodeTypeView } from '../../api/index.ts';
import { texts } from '../../texts/en/workflow.ts';

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/**
 * Schemas for completion. The OpenAPI document contains the schema of a definition, and each node type has a schema of
 * its parameters.
 */
export interface DefinitionSchemas {
  /** Schemas of the OpenAPI document `/openapi.json`, by name. */
  readonly named: Schema;
  readonly types: readonly NodeTypeView[];
}

const DEFINITION = 'WorkflowBody';
/** Fields of a workflow that are not versioned, so the editor of a definition does not offer them. */
const OUTSIDE: ReadonlySet<string> = new Set(['name', 'description', 'status', 'tags']);

/**
 * The schema of the value at a path of a definition; undefined if no schema describes this path.
 * @param value returns the value at a path of the definition
 */
export function schemaAt(
  schemas: DefinitionSchemas,
  path: Path,
  value: (path: Path) => unknown,
): Schema | undefined {
  let current: Schema | undefined = definitionSchema(schemas);
  for (const [index, step] of path.entries()) {
    current = child(schemas, current, step);
    const holder = path.slice(0, index);
    if (step === 'with' && isNodePath(holder)) {
      const type = value([...holder, 'type']);
      current = schemas.types.find((each) => each.type === type)?.schema ?? current;
    }
    // The elements in the body of a loop have the schema of a node.
    if (current !== undefined && isNodePath(path.slice(0, index + 1)))
      current = resolved(schemas, { $ref: '#/components/schemas/NodeDto' });
  }
  return current;
}

/** Whether a path in a definition leads to a node, such as `nodes[1]` or `nodes[1].with.nodes[2]`. */
export function isNodePath(path: Path): boolean {
  return /^nodes\.\d+(?:\.with\.nodes\.\d+)?$/.test(path.join('.'));
}

/** Names of the fields that an object may have, each with the schema of the field. */
export function fieldsOf(
  schemas: DefinitionSchemas,
  schema: Schema | undefined,
): readonly (readonly [name: string, schema: Schema])[] {
  const properties = schema?.['properties'];
  if (!isRecord(properties)) return [];
  return Object.entries(properties).map(([name, property]) => [name, resolved(schemas, property) ?? {}]);
}

/** Describes a schema in words: title, type or allowed values, limits, and description. */
export function describe(schema: Schema): string {
  const { title, description, type } = schema;
  const options = schema['enum'];
  const kind = Array.isArray(options)
    ? options.map((option) => JSON.stringify(option)).join(' | ')
    : Array.isArray(type)
      ? type.join(' or ')
      : typeof type === 'string'
        ? type
        : texts.anyJsonType;
  const bounds = (['minimum', 'maximum', 'default'] as const)
    .flatMap((name) => (schema[name] === undefined ? [] : [`${name} ${JSON.stringify(schema[name])}`]))
    .join(', ');
  return [title, `${kind}${bounds === '' ? '' : ` (${bounds})`}`, description]
    .filter((part) => typeof part === 'string')
    .join('\n');
}

function definitionSchema(schemas: DefinitionSchemas): Schema | undefined {
  const whole = resolved(schemas, { $ref: `#/components/schemas/${DEFINITION}` });
  const properties = whole?.['properties'];
  if (whole === undefined || !isRecord(properties)) return undefined;
  return {
    ...whole,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !OUTSIDE.has(name))),
  };
}

function child(
  schemas: DefinitionSchemas,
  schema: Schema | undefined,
  step: string | number,
): Schema | undefined {
  if (schema === undefined) return undefined;
  if (typeof step === 'number') return resolved(schemas, schema['items']);
  const properties = schema['properties'];
  if (isRecord(properties) && Object.hasOwn(properties, step)) return resolved(schemas, properties[step]);
  return resolved(schemas, schema['additionalProperties']);
}

function resolved({ named }: DefinitionSchemas, schema: unknown): Schema | undefined {
  if (!isRecord(schema)) return undefined;
  const all = schema['allOf'];
  const [only] = Array.isArray(all) ? (all as readonly unknown[]) : [];
  const reference = schema['$ref'] ?? (isRecord(only) ? only['$ref'] : undefined);
  if (typeof reference !== 'string') return schema;
  const target = named[reference.slice(reference.lastIndexOf('/') + 1)];
  const { $ref: _ref, allOf: _allOf, ...rest } = schema;
  return isRecord(target) ? { ...target, ...rest } : undefined;
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
