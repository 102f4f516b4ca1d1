import type { NodeTypeView } from '../../api/index.ts';
import type { Problem } from '../../editor/json-editor.tsx';
import {
  compilePlan,
  DEFAULT_CONFIG,
  type NodeDefinition,
  type NodeTypeCatalog,
  type WorkflowDefinition,
} from '../../../../src/engine/index.ts';
import type { JsonObject } from '../../../../src/expressions/index.ts';
import { parameterFaults, schemaEvaluator } from '../../../../src/json-schema/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Finds problems in a definition without a request: in node ids, references, cycles, expressions and parameters. The
 * service validates with the same code, and finds additional problems.
 */
export type DefinitionChecks = (definition: Fields) => readonly Problem[];

/** @param types the installed node types; undefined while they load, when the checks find nothing */
export function definitionChecks(types: readonly NodeTypeView[] | undefined): DefinitionChecks {
  if (types === undefined) return () => [];
  const catalog = catalogOf(types);
  return (definition) => {
    const readable = readablePart(definition);
    if (readable === null) return [];
    return compilePlan(readable, catalog).faults.map(({ path, message }) => ({
      field: path,
      reason: message,
    }));
  };
}

function catalogOf(types: readonly NodeTypeView[]): NodeTypeCatalog {
  const byType = new Map(
    types.map((view) => {
      const { output_schema, capabilities, ...rest } = view;
      const schema = view.schema as JsonObject;
      const evaluate = schemaEvaluator(schema);
      return [
        view.type,
        {
          description: {
            ...rest,
            schema,
            outputSchema: output_schema as JsonObject,
            capabilities: { iterates: capabilities.iterates },
          },
          checkDefinition: (parameters: JsonObject, path: string) =>
            evaluate === null ? [] : parameterFaults(evaluate(parameters), parameters, path, true),
          literalWait: () => null,
        },
      ] as const;
    }),
  );
  const names = [...byType.keys()].sort();
  return { find: (type) => byType.get(type), names: () => names };
}

/**
 * The definition without the fields that have a wrong type, which the checks of the dashboard cannot read. The service
 * reports these fields. Null if `nodes` is not a list of nodes with id and type.
 */
function readablePart({ nodes = [], config, output }: Fields): WorkflowDefinition | null {
  if (!Array.isArray(nodes)) return null;
  const readable = (nodes as readonly unknown[]).map(readableNode);
  if (!readable.every((node) => node !== null)) return null;
  return {
    nodes: readable,
    config: { ...DEFAULT_CONFIG, ...(isRecord(config) ? withoutNulls(config) : {}) },
    ...(output === undefined || output === null ? {} : { output: output as JsonObject }),
  };
}

function readableNode(node: unknown): NodeDefinition | null {
  if (!isRecord(node)) return null;
  const { id, type, needs, if: condition, with: parameters } = node;
  if (typeof id !== 'string' || typeof type !== 'string') return null;
  return {
    id,
    type,
    ...(Array.isArray(needs) && needs.every((need) => typeof need === 'string') ? { needs } : {}),
    ...(typeof condition === 'string' ? { if: condition } : {}),
    ...(isRecord(parameters) ? { with: parameters as JsonObject } : {}),
    // The checks read only whether `retry` is set, so a placeholder replaces the content of the field.
    ...(isRecord(node['retry']) ? { retry: { max_attempts: 1 } } : {}),
  };
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
