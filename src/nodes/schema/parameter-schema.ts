import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Fault, JsonObject } from '../../expressions/index.js';
import { parameterFaults } from '../../json-schema/index.js';

export interface ParameterChecks {
  /**
   * Returns the errors of a node's `with` before its expressions are evaluated. Errors that the evaluation may remove
   * are not reported. `path` is the location of the `with`, such as `nodes[2].with`.
   */
  readonly checkDefinition: (parameters: JsonObject | undefined, path: string) => readonly Fault[];
  /** Returns the errors of a node's `with` after its expressions were evaluated, at paths such as `with.url`. */
  readonly check: (parameters: JsonObject) => readonly Fault[];
}

/**
 * Compiles the JSON Schema (draft 2020-12) of a node type's parameters.
 * @throws Error from ajv if the schema is invalid or has unknown keywords
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

/** Returns the checks of `compileParameterSchema`, but compiles the schema at the first check. */
export function parameterSchemaOnUse(schema: JsonObject): ParameterChecks {
  let compiled: ParameterChecks | undefined;
  const checks = () => (compiled ??= compileParameterSchema(schema));
  return {
    checkDefinition: (parameters, path) => checks().checkDefinition(parameters, path),
    check: (parameters) => checks().check(parameters),
  };
}

/**
 * Compiler that the schemas of all node types share, because creating a compiler takes longer than compiling a schema.
 */
let compiler: Ajv2020 | undefined;

function createCompiler(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    // Without `addUsedSchema: false`, ajv rejects two node types whose schemas have the same `$id`.
    addUsedSchema: false,
  });
  addFormats.default(ajv);
  // The keyword `x-literal` tells the engine not to evaluate expressions in a property. For ajv, the keyword means
  // nothing.
  ajv.addKeyword({ keyword: 'x-literal', schemaType: 'boolean' });
  return ajv;
}
