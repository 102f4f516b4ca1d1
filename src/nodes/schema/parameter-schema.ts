import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Fault, JsonObject } from '../../expressions/index.js';
import { parameterFaults } from '../../json-schema/index.js';

export interface ParameterChecks {
  /**
   * Errors of a `with` with unevaluated expressions, without errors that may disappear at the evaluation. `path` is
   * the location of the `with`, such as `nodes[2].with`.
   */
  readonly checkDefinition: (parameters: JsonObject | undefined, path: string) => readonly Fault[];
  /** Errors of a `with` with evaluated expressions, at paths such as `with.url`. */
  readonly check: (parameters: JsonObject) => readonly Fault[];
}

/**
 * Compiles the JSON Schema (draft 2020-12) of a node type's `with`.
 *
 * @throws Error from ajv if the schema is invalid or has unknown keywords.
 */
export function compileParameterSchema(schema: JsonObject): ParameterChecks {
  compiler ??= createCompiler();
  const validate = compiler.compile(schema);
  const faults = (parameters: JsonObject, path: string, hasUnevaluated: boolean) =>
    validate(parameters) ? [] : parameterFaults(validate.errors ?? [], parameters, path, hasUnevaluated);
  return {
    checkDefinition: (parameters = {}, path) => faults(parameters, path, true),
    check: (parameters) => faults(parameters, 'with', false),
  };
}

/** One compiler for the few types, because creating a compiler takes longer than compiling a schema. */
let compiler: Ajv2020 | undefined;

function createCompiler(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    // Two types may use the same `$id`.
    addUsedSchema: false,
  });
  addFormats.default(ajv);
  // An annotation for the engine: expressions in the property are not evaluated.
  ajv.addKeyword({ keyword: 'x-literal', schemaType: 'boolean' });
  return ajv;
}
