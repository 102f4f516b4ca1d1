import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Fault, JsonObject } from '../../expressions/index.js';
import { hasExpression, holdsExpression, mayBeWholeExpression } from './expression-text.js';
import { asksOnlyForFields, placeOf, significantErrors, toFault } from './schema-faults.js';

/**
 * Errors of a schema that are looked at. Which of them sum up others is found by comparing each with those before
 * it, and an expression may give a list of any length.
 */
const MAX_ERRORS = 1_000;

/** The checks of one node type's `with`. */
export interface ParameterChecks {
  /**
   * Faults of a `with` that still has `{{ }}` expressions in it: what an expression may yet put right is let
   * through. `path` is where it stands, for example `nodes[2].with`.
   */
  readonly checkDefinition: (parameters: JsonObject | undefined, path: string) => readonly Fault[];
  /** Faults of a `with` whose expressions are filled in, at paths such as `with.url`. */
  readonly check: (parameters: JsonObject) => readonly Fault[];
}

/**
 * Compiles the JSON Schema (draft 2020-12) of a node type's `with`, once for each type.
 * @throws Error in the words of the compiler where the schema is wrong or misspelt.
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

/** One for all types: to make one takes longer than to compile a schema, and there are few types. */
let compiler: Ajv2020 | undefined;

function createCompiler(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    // Two types may use one `$id`.
    addUsedSchema: false,
  });
  addFormats.default(ajv);
  // An annotation that the engine reads: the property is no template.
  ajv.addKeyword({ keyword: 'x-literal', schemaType: 'boolean' });
  return ajv;
}

/** Whether no value of the expressions can put this error right. */
function isCertain(error: ErrorObject, parameters: JsonObject): boolean {
  const { value } = placeOf(error, parameters);
  // Braces in a literal are no expression.
  if (error.parentSchema?.['x-literal'] === true) return true;
  switch (error.keyword) {
    case 'type':
      // Text around an expression stays text.
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
