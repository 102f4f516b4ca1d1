import { at, type Fault, isJsonObject, type Json, type JsonObject } from '../../expressions/index.js';
import { compileLinearPattern, PatternError } from './linear-pattern.js';

/**
 * Keyword that the service adds to every sub-schema of an untrusted schema. Its value is the estimated work
 * of one evaluation of the sub-schema, in comparisons.
 */
export const WORK_KEYWORD = 'workUnits';

/** A copy of an untrusted schema with safe keywords only, or the errors of the schema. */
export type ValidatedSchema = { readonly schema: JsonObject } | { readonly faults: readonly Fault[] };

/** Maximum size of an untrusted schema as JSON, in bytes. */
const MAX_BYTES = 65_536;
const MAX_DEPTH = 32;
const MAX_SUBSCHEMAS = 1_000;

/** Keywords whose value is a schema. */
const SCHEMA_KEYWORDS = [
  'additionalProperties',
  'additionalItems',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
/** Keywords whose value is a list of schemas. */
const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
/** Keywords whose value maps names to schemas. */
const SCHEMA_MAP_KEYWORDS = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
];
/** Keywords whose value contains no schema. */
const PLAIN_KEYWORDS = (
  '$ref type enum const title required dependentRequired format pattern uniqueItems multipleOf ' +
  'maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength ' +
  'maxItems minItems maxContains minContains maxProperties minProperties'
).split(' ');
/**
 * Refused keywords, which change how references resolve or how a validator runs. Without these keywords, every
 * reference is a plain JSON pointer.
 */
const REFUSED_KEYWORDS = [
  '$async',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
];

/**
 * Validates a schema from a user, and limits its size, depth, references and patterns.
 * @param path location of the schema, for error messages
 */
export function validateUntrustedSchema(schema: JsonObject, path: string): ValidatedSchema {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_BYTES)
    return { faults: [{ path, code: 'schema_too_large', message: `Must have at most ${MAX_BYTES} bytes.` }] };
  const validation = new SchemaValidation(path);
  const copy = validation.visit(schema, [], '#', 0) as JsonObject;
  const faults = validation.finish();
  return faults.length > 0 ? { faults } : { schema: copy };
}

class SchemaValidation {
  private readonly faults: Fault[] = [];
  private readonly pointers = new Set<string>();
  private readonly references: { readonly to: string; readonly path: string }[] = [];

  constructor(private readonly path: string) {}

  visit(schema: Json, parts: readonly (string | number)[], pointer: string, depth: number): Json {
    this.pointers.add(pointer);
    if (!isJsonObject(schema)) return schema;
    if (depth > MAX_DEPTH || this.pointers.size > MAX_SUBSCHEMAS) {
      if (!this.faults.some(({ code }) => code === 'schema_too_large'))
        this.fault(
          parts,
          'schema_too_large',
          `Must have at most ${MAX_SUBSCHEMAS} sub-schemas, nested at most ${MAX_DEPTH} deep.`,
        );
      return {};
    }
    const copied: [string, Json][] = [[WORK_KEYWORD, workOf(schema)]];
    for (const [key, value] of Object.entries(schema)) {
      const child = (of: Json, ...names: readonly (string | number)[]): Json =>
        this.visit(
          of,
          [...parts, key, ...names],
          [pointer, key, ...names].map(escapePart).join('/'),
          depth + 1,
        );
      if (SCHEMA_LIST_KEYWORDS.includes(key) && Array.isArray(value))
        copied.push([key, value.map((item: Json, i) => child(item, i))]);
      else if (SCHEMA_KEYWORDS.includes(key)) copied.push([key, child(value)]);
      else if (SCHEMA_MAP_KEYWORDS.includes(key) && isJsonObject(value)) {
        if (key === 'patternProperties')
          for (const name of Object.keys(value)) this.validatePattern(name, [...parts, key, name]);
        const entries = Object.entries(value).map(([name, of]): [string, Json] => [name, child(of, name)]);
        copied.push([key, Object.fromEntries(entries)]);
      } else if (
        PLAIN_KEYWORDS.includes(key) ||
        SCHEMA_LIST_KEYWORDS.includes(key) ||
        SCHEMA_MAP_KEYWORDS.includes(key)
      )
        copied.push([key, value]);
      else if (REFUSED_KEYWORDS.includes(key))
        this.fault([...parts, key], 'unsupported_keyword', `"${key}" is not supported by this service.`);
      if (key === 'pattern' && typeof value === 'string') this.validatePattern(value, [...parts, key]);
      if (key === '$ref' && typeof value === 'string')
        this.references.push({ to: value, path: at(this.path, ...parts, key) });
    }
    return Object.fromEntries(copied);
  }

  finish(): readonly Fault[] {
    for (const { to, path } of this.references)
      if (!this.pointers.has(decodePointer(to)))
        this.faults.push({
          path,
          code: 'unknown_reference',
          message: `Refers to "${to}". References must point to a sub-schema of this schema, such as "#/$defs/name".`,
        });
    return this.faults;
  }

  private validatePattern(source: string, parts: readonly (string | number)[]): void {
    try {
      compileLinearPattern(source);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      this.fault(parts, 'unsupported_pattern', `The pattern ${error.message}.`);
    }
  }

  private fault(parts: readonly (string | number)[], code: string, message: string): void {
    this.faults.push({ path: at(this.path, ...parts), code, message });
  }
}

/** Estimates the work of evaluating a schema once, without its sub-schemas, as a number of comparisons. */
function workOf(schema: JsonObject): number {
  const compared = JSON.stringify([
    schema['enum'],
    schema['const'],
    schema['required'],
    schema['dependentRequired'],
  ]);
  const fields = ['properties', 'patternProperties', 'dependencies'].map(
    (key) => Object.keys(schema[key] ?? {}).length,
  );
  return fields.reduce((work, count) => work + count, Math.ceil(compared.length / 16));
}

function escapePart(part: string | number, index: number): string {
  return index === 0 ? String(part) : String(part).replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Decodes a percent-encoded `$ref`. Returns an empty text for an invalid encoding, so that the reference counts as
 * unknown.
 */
function decodePointer(reference: string): string {
  if (reference === '#/') return '';
  try {
    return decodeURIComponent(reference);
  } catch {
    return '';
  }
}
