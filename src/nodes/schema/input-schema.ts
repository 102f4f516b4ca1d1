import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { type Fault, isJsonObject, type Json, type JsonObject } from '../../expressions/index.js';
import { placeOf, significantErrors, toFault } from '../../json-schema/index.js';
import { compileLinearPattern } from './linear-pattern.js';
import { validateUntrustedSchema, WORK_KEYWORD } from './untrusted-schema.js';

/** A compiled `input_schema` of a workflow version. */
export interface InputSchema {
  /** Returns the errors in the input of an execution, at paths such as `input.customer.email`. */
  validate(input: Json): readonly Fault[];
}

/**
 * Maximum work to validate one input, in comparisons and pattern steps. The maximum takes a few hundred milliseconds of
 * CPU time.
 */
const MAX_WORK = 5_000_000;
/**
 * Maximum work to find all errors of an invalid input, in comparisons and pattern steps. Beyond the maximum, only the
 * first error is reported.
 */
const MAX_FAULT_WORK = 50_000;
const MAX_FAULTS = 100;

/**
 * Compiles the JSON Schema that a user wrote for the input of a workflow. The schema follows draft 2020-12, or draft-07
 * if `$schema` says so. Neither the schema nor an input can block the event loop.
 */
export function compileInputSchema(schema: JsonObject): InputSchema | { readonly faults: readonly Fault[] } {
  const dialect = dialectOf(schema);
  if (dialect === null)
    return {
      faults: [
        {
          path: 'input_schema.$schema',
          code: 'unsupported_dialect',
          message: 'Must be the URI of JSON Schema draft 2020-12 or draft-07.',
        },
      ],
    };
  const validated = validateUntrustedSchema(schema, 'input_schema');
  if ('faults' in validated) return validated;
  const budget = new Budget();
  try {
    const stopAtFirstError = compile(dialect, validated.schema, budget, false);
    let findAllErrors: ValidateFunction | undefined;
    return {
      validate: (input) => {
        const faults = faultsOf(stopAtFirstError, input, budget, MAX_WORK);
        if (faults.length === 0 || faults[0]!.code === TOO_COMPLEX) return faults;
        // After the first error, the search for other errors has a smaller budget than the validation. An invalid input
        // then costs little more than a valid input.
        findAllErrors ??= compile(dialect, validated.schema, budget, true);
        const allFaults = faultsOf(findAllErrors, input, budget, MAX_FAULT_WORK);
        return allFaults.length === 0 || allFaults[0]!.code === TOO_COMPLEX ? faults : allFaults;
      },
    };
  } catch (error) {
    return { faults: [{ path: 'input_schema', code: 'invalid_schema', message: schemaMessage(error) }] };
  }
}

class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError';
}

class Budget {
  private left = Infinity;

  start(work: number): void {
    this.left = work;
  }

  readonly spend = (work: number): void => {
    this.left -= work;
    if (this.left < 0)
      throw new BudgetExceededError('The validation of the input takes more steps than allowed.');
  };
}

type Dialect = '2020-12' | 'draft-07';

function dialectOf(schema: JsonObject): Dialect | null {
  const named = schema['$schema'];
  if (named === undefined) return '2020-12';
  if (typeof named !== 'string') return null;
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(named)) return '2020-12';
  return /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(named) ? 'draft-07' : null;
}

/** Compiles a schema with a new ajv instance. A shared instance would keep every compiled schema in memory. */
function compile(dialect: Dialect, schema: JsonObject, budget: Budget, allErrors: boolean): ValidateFunction {
  const regExp = (source: string) => compileLinearPattern(source, budget.spend);
  budget.start(Infinity);
  const options = {
    strict: false,
    allErrors,
    verbose: true,
    ownProperties: true,
    logger: false,
    code: { regExp: Object.assign(regExp, { code: 'linearPattern' }) },
  } as const;
  const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  ajv.addFormat('url', { type: 'string', validate: (text: string) => isUrl(text, budget) });
  ajv.addKeyword({
    keyword: WORK_KEYWORD,
    schemaType: 'number',
    errors: false,
    validate: (work: number, value: Json) => {
      budget.spend(work + sizeOf(value));
      return true;
    },
  });
  // The keyword `uniqueItems` is implemented here, because ajv would compare every pair of items.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (wanted: boolean, items: readonly Json[]) => {
      if (!wanted) return true;
      const texts = items.map(canonical);
      // Hashing one character of an item costs about as much CPU time as four comparisons.
      budget.spend(4 * texts.reduce((length, text) => length + text.length, 0));
      return new Set(texts).size === items.length;
    },
  });
  return ajv.compile(schema);
}

/** ajv-formats declares all its formats with one type. */
const URL_PATTERN = fullFormats.url as RegExp;

/**
 * Whether a text has the format `url` of ajv-formats. The pattern of this format scans the text again after each colon,
 * and the host again after each colon and each at sign.
 */
function isUrl(text: string, budget: Budget): boolean {
  if (/\s/u.test(text)) return false;
  const colons = text.split(':').length;
  const hosts = text.split(/[@/:]/u).reduce((sum, part) => sum + part.length ** 2, 0);
  // One unit of work takes about as much CPU time as 24 steps of a regular expression.
  budget.spend((colons * (text.length + hosts)) / 24);
  return URL_PATTERN.test(text);
}

const TOO_COMPLEX = 'too_complex';

function faultsOf(validate: ValidateFunction, input: Json, budget: Budget, work: number): readonly Fault[] {
  budget.start(work);
  try {
    if (validate(input)) return [];
  } catch (error) {
    // A RangeError is a stack overflow: the schema refers to itself without descending into the input.
    if (!(error instanceof BudgetExceededError || error instanceof RangeError)) throw error;
    return [
      {
        path: 'input',
        code: TOO_COMPLEX,
        message:
          'Takes too much work to check against the input schema. Send a smaller input or simplify the schema.',
      },
    ];
  }
  const errors: readonly ErrorObject[] = validate.errors ?? [];
  return significantErrors(errors.slice(0, MAX_FAULTS)).map((error) =>
    toFault(error, placeOf(error, input), 'input'),
  );
}

/**
 * Returns the work to inspect a value, not counting the values inside the value: the number of keys of an
 * object, or a sixteenth of the length of a string.
 */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return Math.ceil(value.length / 16);
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

/** Returns a value as JSON with sorted keys, so that equal values have equal JSON texts. */
function canonical(value: Json): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function schemaMessage(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Is not a valid JSON Schema: ${reason}.`;
}
