import type { Fault, JsonObject } from '../expressions/index.js';
import { hasExpression, holdsExpression, mayBeWholeExpression } from './expression-text.js';
import type { SchemaError } from './schema-error.js';
import { asksOnlyForFields, placeOf, significantErrors, toFault } from './schema-faults.js';

/**
 * Maximum number of schema errors that are converted; further errors are dropped. The limit is needed, because the
 * conversion compares each error with all earlier errors.
 */
const MAX_ERRORS = 1_000;

/**
 * Converts the schema errors of a node's parameters (`with`).
 *
 * @param path location of the `with`, such as `nodes[2].with`
 * @param hasUnevaluated whether the parameters contain expressions that are not evaluated yet. If true, errors that may
 * disappear after the evaluation are omitted.
 */
export function parameterFaults(
  errors: readonly SchemaError[],
  parameters: JsonObject,
  path: string,
  hasUnevaluated: boolean,
): readonly Fault[] {
  const keep = (error: SchemaError): boolean => !hasUnevaluated || isCertain(error, parameters);
  return significantErrors(errors.slice(0, MAX_ERRORS), keep).map((error) =>
    toFault(error, placeOf(error, parameters), path),
  );
}

/** Whether the schema error remains for all possible values of the expressions. */
function isCertain(error: SchemaError, parameters: JsonObject): boolean {
  const { value } = placeOf(error, parameters);
  // The braces `{{ }}` in a parameter that is marked as literal are not an expression.
  if (error.parentSchema?.['x-literal'] === true) return true;
  switch (error.keyword) {
    case 'type':
      // A text with an embedded expression always evaluates to a string, so its type is known.
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
