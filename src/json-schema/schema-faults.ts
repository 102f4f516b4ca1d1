import { at, type Fault } from '../expressions/index.js';
import type { SchemaError } from './schema-error.js';

/** Path of an invalid value in a document, and the value. */
export interface SchemaLocation {
  readonly parts: readonly (string | number)[];
  readonly value: unknown;
}

/** Keywords of JSON Schema whose own error summarizes the errors of their sub-schemas. */
const SUMMARIES = ['oneOf', 'anyOf', 'not', 'contains', 'propertyNames', 'if'];

/**
 * Selects the schema errors to report. Errors of a sub-schema are omitted if the enclosing keyword, such as `oneOf`,
 * has an error of its own.
 *
 * @param keep returns false for an error to omit; the errors of sub-schemas of that error are then omitted too
 */
export function significantErrors(
  errors: readonly SchemaError[],
  keep: (error: SchemaError) => boolean = () => true,
): readonly SchemaError[] {
  const hidden = new Set<SchemaError>();
  errors.forEach((summary, index) => {
    if (!SUMMARIES.includes(summary.keyword)) return;
    const branches = errors.slice(0, index).filter((error) => isBranchOf(error, summary));
    const kept = keep(summary);
    // The errors of `then` or `else` are more specific than the error of `if`, so they are reported instead.
    if (summary.keyword === 'if' || !kept) hidden.add(summary);
    if (summary.keyword !== 'if' || !kept) for (const branch of branches) hidden.add(branch);
  });
  return errors.filter((error) => !hidden.has(error) && (SUMMARIES.includes(error.keyword) || keep(error)));
}

function isBranchOf(error: SchemaError, summary: SchemaError): boolean {
  if (
    error.instancePath !== summary.instancePath &&
    !error.instancePath.startsWith(`${summary.instancePath}/`)
  )
    return false;
  const prefixes =
    summary.keyword === 'if'
      ? ['then/', 'else/'].map((branch) => summary.schemaPath.replace(/if$/, branch))
      : [`${summary.schemaPath}/`];
  if (prefixes.some((prefix) => error.schemaPath.startsWith(prefix))) return true;
  // For a branch with `$ref`, the schema path of an error starts at the referenced definition, not at the branch.
  const definition = /^#\/(?:\$defs|definitions)\/[^/]+\//.exec(error.schemaPath)?.[0];
  return definition !== undefined && !summary.schemaPath.startsWith(definition);
}

/** Returns the path and the value at which a schema error occurred. */
export function placeOf(error: SchemaError, document: unknown): SchemaLocation {
  const parts: (string | number)[] = [];
  let value = document;
  for (const segment of error.instancePath.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) {
      parts.push(Number(key));
      value = value[Number(key)];
    } else {
      parts.push(key);
      value =
        typeof value === 'object' && value !== null
          ? Object.getOwnPropertyDescriptor(value, key)?.value
          : undefined;
    }
  }
  return { parts, value };
}

/**
 * Converts a schema error to an error with the path, code and message of the service.
 *
 * @param base path of the document
 */
export function toFault(error: SchemaError, place: SchemaLocation, base: string): Fault {
  const { params, keyword } = error;
  const here = at(base, ...place.parts);
  const limit = String(params['limit']);
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return {
        path: at(here, String(params['missingProperty'])),
        code: 'required',
        message: 'Is required.',
      };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownField(error, here);
    case 'propertyNames':
      return {
        path: at(here, String(params['propertyName'])),
        code: 'field_name',
        message: 'Is not an allowed name.',
      };
    case 'type':
      return {
        path: here,
        code: 'type',
        message: `Must be ${listOf(params['type'])}, not ${kindOf(place.value)}.`,
      };
    case 'enum':
      return { path: here, code: 'enum', message: `Must be one of ${quoted(params['allowedValues'])}.` };
    case 'const':
      return { path: here, code: 'enum', message: `Must be ${JSON.stringify(params['allowedValue'])}.` };
    case 'minimum':
      return { path: here, code: 'range', message: `Must be at least ${limit}.` };
    case 'maximum':
      return { path: here, code: 'range', message: `Must be at most ${limit}.` };
    case 'exclusiveMinimum':
      return { path: here, code: 'range', message: `Must be more than ${limit}.` };
    case 'exclusiveMaximum':
      return { path: here, code: 'range', message: `Must be less than ${limit}.` };
    case 'multipleOf':
      return { path: here, code: 'range', message: `Must be a multiple of ${String(params['multipleOf'])}.` };
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return { path: here, code: 'length', message: `Must have at least ${limit} ${UNITS[keyword]}.` };
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return { path: here, code: 'length', message: `Must have at most ${limit} ${UNITS[keyword]}.` };
    case 'pattern':
      return { path: here, code: 'pattern', message: `Must match the pattern ${String(params['pattern'])}.` };
    case 'format':
      return { path: here, code: 'format', message: `Must be a valid ${String(params['format'])}.` };
    case 'uniqueItems':
      return { path: here, code: 'unique', message: 'Must not contain the same item twice.' };
    case 'oneOf':
    case 'anyOf':
      return { path: here, code: 'no_match', message: formsMessage(error) };
    default:
      return {
        path: here,
        code: 'invalid',
        message: `Violates the rule "${keyword}": ${error.message ?? 'the value is not allowed'}.`,
      };
  }
}

const UNITS = {
  minLength: 'characters',
  maxLength: 'characters',
  minItems: 'items',
  maxItems: 'items',
  minProperties: 'fields',
  maxProperties: 'fields',
} as const;

function unknownField(error: SchemaError, here: string): Fault {
  const name = String(error.params['additionalProperty'] ?? error.params['unevaluatedProperty']);
  const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {});
  const hint = known.length === 0 ? '' : ` Known fields: ${known.join(', ')}.`;
  return { path: at(here, name), code: 'unknown_field', message: `Is not a known field.${hint}` };
}

/**
 * Returns the message for an error of `oneOf` or `anyOf`. The message names the required fields or the titles of the
 * branches.
 */
function formsMessage(error: SchemaError): string {
  const branches = schemaBranches(error);
  const count = error.keyword === 'oneOf' ? 'exactly one' : 'at least one';
  const fields = branches.flatMap((branch) =>
    Array.isArray(branch['required']) ? branch['required'].map(String) : [],
  );
  if (fields.length > 0 && asksOnlyForFields(error))
    return `Must have ${count} of these fields: ${fields.join(', ')}.`;
  const titles = branches.flatMap((branch) => (typeof branch['title'] === 'string' ? [branch['title']] : []));
  if (titles.length > 0 && titles.length === branches.length)
    return `Must be one of these: ${titles.join('; ')}.`;
  return `Must match ${count} of the ${branches.length} alternatives in the schema.`;
}

/** Whether the branches of a `oneOf` or `anyOf` have no constraints other than required fields. */
export function asksOnlyForFields(error: SchemaError): boolean {
  return schemaBranches(error).every((branch) =>
    Object.keys(branch).every((key) => key === 'required' || key === 'title'),
  );
}

function schemaBranches(error: SchemaError): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(error.schema) ? (error.schema as Readonly<Record<string, unknown>>[]) : [];
}

function listOf(types: unknown): string {
  const names = (Array.isArray(types) ? types : String(types).split(',')).map((type) =>
    article(String(type)),
  );
  return names.join(' or ');
}

function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return article(Array.isArray(value) ? 'array' : typeof value);
}

/**
 * Maximum number of allowed values that an error message lists. For further values, the message contains only their
 * number.
 */
const MAX_NAMED_VALUES = 20;

function quoted(values: unknown): string {
  const list = Array.isArray(values) ? values : [];
  const shown = list.slice(0, MAX_NAMED_VALUES).map((value) => JSON.stringify(value));
  return `${shown.join(', ')}${list.length > shown.length ? ` and ${list.length - shown.length} more` : ''}`;
}
