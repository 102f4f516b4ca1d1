import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePlan } from '../../src/engine/index.js';
import { ValidationError } from '../../src/errors/index.js';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import * as builtInTypes from '../../src/node-types/built-in-types.js';
import { NodeTypeMetadata, NodeTypeRegistry } from '../../src/nodes/index.js';
import { type NodeTypeView, nodeTypeView } from '../../src/nodes/node-type.view.js';
import { definitionOf, type WorkflowInput } from '../../src/workflows/workflow.js';
import { WorkflowDocuments } from '../../src/workflows/workflow-documents.js';
import { WorkflowWarnings } from '../../src/workflows/workflow-warnings.js';

interface Problem {
  readonly field: string;
  readonly reason: string;
}

/**
 * The parts of a dashboard module that this test uses. The dashboard is compiled with its own options, so the
 * test cannot import the types.
 */
interface Checks {
  definitionChecks(types: readonly NodeTypeView[]): (definition: JsonObject) => readonly Problem[];
}

const { definitionChecks } = (await import(
  new URL('../../dashboard/src/pages/workflow/definition-checks.ts', import.meta.url).href
)) as Checks;

/** The built-in node types without their method `check`, because only the service runs this method. */
const registry = new NodeTypeRegistry();
for (const type of Object.values(builtInTypes))
  registry.register(Reflect.getMetadata(NodeTypeMetadata.KEY, type), { run: () => ({}) as never });

const localProblems = definitionChecks(registry.list().map(nodeTypeView));
const workflows = { faults: (input: WorkflowInput) => compilePlan(definitionOf(input), registry).faults };
const documents = new WorkflowDocuments(workflows as never, new WorkflowWarnings());

/**
 * Returns the problems that the service finds in a definition, except problems of the input schema. Null for
 * a malformed document.
 */
function serviceProblems(definition: JsonObject): readonly Problem[] | null {
  try {
    const { input } = documents.created({ name: 'a', ...definition });
    return workflows.faults(input).map(({ path, message }) => ({ field: path, reason: message }));
  } catch (error) {
    if (error instanceof ValidationError) return null;
    throw error;
  }
}

const EXAMPLES = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?:workflow|child)\.json$/.test(path) && !path.includes('node_modules'))
  .map((path) => JSON.parse(readFileSync(`examples/${path}`, 'utf8')) as JsonObject);

const VALUES: readonly Json[] = [
  null, true, -1, 0, 1.5, 1e9, '', 'x', 'http://a.example', '{{ input.a }}', '{{ nodes.none.output }}',
  'a {{ input.a }}', '{{ input. }}', '{{ item }}', [], [1, '{{ input.a }}'], {}, { unknown: 1 }, { seconds: 1 },
]; // prettier-ignore

type Path = readonly (string | number)[];

function pathsOf(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, child]) => pathsOf(child as Json, [...path, key]))];
}

/** Sets or removes the value at a path. */
function changed(value: Json, [key, ...rest]: Path, next: Json | undefined): Json {
  if (key === undefined) return next ?? null;
  const copy = Array.isArray(value) ? [...(value as Json[])] : { ...(value as Record<string, Json>) };
  const holder = copy as Record<string | number, Json>;
  if (rest.length > 0) holder[key] = changed(holder[key] as Json, rest, next);
  else if (next !== undefined) holder[key] = next;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete holder[key];
  return copy;
}

const sorted = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ field, reason }) => `${field}: ${reason}`).sort();

describe('the dashboard checks definitions without a request', () => {
  it('the dashboard and the service find the same problems in randomly changed workflow definitions', () => {
    let compared = 0;
    const property = fc.property(
      fc.constantFrom(...EXAMPLES),
      fc.array(
        fc.record({ place: fc.nat(), value: fc.option(fc.constantFrom(...VALUES), { nil: undefined }) }),
        {
          maxLength: 3,
        },
      ),
      (example, changes) => {
        const {
          name: _name,
          description: _description,
          tags: _tags,
          input_schema: _schema,
          ...original
        } = example;
        let definition: JsonObject = original;
        for (const { place, value } of changes) {
          const paths = pathsOf(definition).filter(([first]) => first === 'nodes' || first === 'output');
          definition = changed(definition, paths[place % paths.length] ?? ['nodes'], value) as JsonObject;
        }
        const expected = serviceProblems(definition);
        const found = localProblems(definition);
        if (expected === null) return;
        compared += 1;
        expect(sorted(found)).toEqual(sorted(expected));
      },
    );
    fc.assert(property, { numRuns: 1_000 });
    expect(compared).toBeGreaterThan(300);
  });
});
