import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Fault, JsonObject } from '../../expressions/index.js';
import { hasExpression, holdsExpression, mayBeWholeExpression } from './expression-text.js';
import { asksOnlyForFields, placeOf, significantErrors, toFault } from './schema-faults.js';

/** Maximum number of processed schema errors. Each error is compared with all earlier errors. */
const MAX_ERRORS = 1_000;

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
  const faults = (parameters: JsonObject, path: string, keep?: (error: ErrorObject) => boolean) =>
    validate(parameters)
      ? []
      : significantErrors((validate.errors ?? []).slice(0, MAX_ERRORS), keep).map((error) =>
          toFault(error, placeOf(error, parameters), path),
        );
  return {
    checkDefinition: (parameters = {}, path) =>
      faults(parameters, path, (error) => isCertain(error, parameters)),
    check: (parameters) => faults(parameters, 'with'),
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

/** Whether the error remains for all possible values of the expressions. */
function isCertain(error: ErrorObject, parameters: JsonObject): boolean {
  const { value } = placeOf(error, parameters);
  // Braces in a literal are not an expression.
  if (error.parentSchema?.['x-literal'] === true) return true;
  switch (error.keyword) {
    case 'type':
      // An expression with surrounding text evaluates to a string.
      return !hasExpression(value) || !mayBeWholeExpression(value);
    case 'oneOf':
    case 'anyOf':
      return !holdsExpression(value) || (typeof value === 'object' && asksOnlyForFields(error));
    case 'not':
    case 'contains':
    case 'if':
    case 'enum':
    case 'const':
      return !holdsExpression(value);
    default:
      return !hasExpression(value);
  }
}
