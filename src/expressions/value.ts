import { isJsonObject, type Json, type JsonObject } from './json.js';

/** Maximum cost of one expression, which takes about 20 ms. Evaluating one syntax node costs 1. */
const BUDGET = 1_000_000;

/** Maximum cost of all expressions of one template. The rendering of a template blocks the event loop. */
const TEMPLATE_BUDGET = 5_000_000;

/** Maximum length of a string that an expression creates, in characters. */
const MAX_TEXT_LENGTH = 1_048_576;

export const MAX_LIST_LENGTH = 100_000;

/**
 * Maximum size of the value of an expression. The size is the length of all strings and keys, plus 1 for each JSON
 * value.
 */
const MAX_RESULT_SIZE = 8_388_608;

const MAX_RESULT_DEPTH = 200;

/**
 * Maximum length in characters of the text that an expression searches for. Longer texts could make the search slower
 * than linear.
 */
const MAX_NEEDLE_LENGTH = 1000;

/** Thrown when the evaluation of an expression fails. The message contains names from the expression, but no data. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code = 'expression_error';

  constructor(
    message: string,
    /** Source text of the part that failed, such as `input.customer.email`. Null if unknown. */
    readonly path: string | null = null,
  ) {
    super(message);
  }
}

/**
 * A CEL optional: a value that may not exist, such as the result of `input.?name`. An optional without a value becomes
 * null in JSON.
 */
export class Optional {
  constructor(readonly value: Json | undefined) {}
}

export const NONE = new Optional(undefined);

export type Value = Json | Optional;

/** Returns the value of a CEL optional, or null if the optional has none. Returns other values unchanged. */
export function unwrap(value: Value): Json {
  return value instanceof Optional ? (value.value ?? null) : value;
}

/** Remaining budget of all expressions of one template. */
export class TemplateBudget {
  private left = TEMPLATE_BUDGET;

  /** @throws ExpressionError if the budget is used up */
  spend(cost: number): void {
    this.left -= cost;
    if (this.left < 0)
      throw new ExpressionError(
        'The expressions of this document together take too many steps. Use smaller lists, fewer nested loops or several nodes.',
      );
  }
}

/** Remaining budget of one expression. Each cost also counts against the budget of the expression's template. */
export class Budget {
  private left = BUDGET;

  constructor(private readonly template = new TemplateBudget()) {}

  /** @throws ExpressionError if the budget is used up */
  spend(cost: number): void {
    this.left -= cost;
    if (this.left < 0)
      throw new ExpressionError(
        'The expression takes too many steps. Use smaller lists or fewer nested loops.',
      );
    this.template.spend(cost);
  }

  spendText(length: number): void {
    this.spend(1 + (length >> 5));
  }

  /** @throws ExpressionError if `needle` is too long */
  spendSearch(text: string, needle: string): void {
    if (needle.length > MAX_NEEDLE_LENGTH) {
      throw new ExpressionError(`The text to search for is longer than ${MAX_NEEDLE_LENGTH} characters.`);
    }
    this.spend(1 + (text.length >> 3));
  }
}

export type Kind = 'null' | 'bool' | 'number' | 'string' | 'list' | 'map';

/** @throws ExpressionError if the value is not JSON */
export function kindOf(value: Json): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'bool';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'list' : 'map';
    default:
      throw new ExpressionError(`The expression has a value of the type ${typeof value}, which is not JSON.`);
  }
}

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  null: 'null',
  bool: 'a bool',
  number: 'a number',
  string: 'a string',
  list: 'a list',
  map: 'a map',
};

/** The type of a JSON value with its article, such as `a number`, for error messages. */
export function describeKind(value: Json): string {
  return KIND_NAMES[kindOf(value)];
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * The list element or object field with the given key. Undefined if it does not exist. Inherited properties are not
 * read.
 */
export function lookUp(target: Json, key: Json): Json | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  if (isList(target)) return typeof key === 'number' ? target[key] : undefined;
  return typeof key === 'string' && Object.hasOwn(target, key) ? target[key] : undefined;
}

/** Source text of a field or element access, for error messages. */
export interface ValuePath {
  readonly path: string;
  /** Source text of the complete path that starts with `path`. For the part `a.b` of `a.b.c`, it is `a.b.c`. */
  readonly whole: string;
}

/**
 * The list element or object field with the given key.
 * @throws ExpressionError that names the path if the element or field does not exist
 */
export function select(target: Json, key: Json, place: ValuePath): Json {
  const value = lookUp(target, key);
  if (value !== undefined) return value;
  throw new ExpressionError(
    `\`${place.whole}\` cannot be read: ${whyMissing(target, key, place)}.`,
    place.whole,
  );
}

function whyMissing(target: Json, key: Json, { path, whole }: ValuePath): string {
  if (isList(target)) {
    if (typeof key !== 'number') return 'elements of a list are read by index, not by field name';
    return `the list has ${target.length} element${target.length === 1 ? '' : 's'}, but none at index ${key}`;
  }
  if (!isJsonObject(target)) return `the container of \`${path}\` is ${describeKind(target)}`;
  if (typeof key !== 'string') return `the keys of a map are strings, not ${describeKind(key)}`;
  const what = path === whole ? 'the field does not exist' : `\`${path}\` does not exist`;
  return `${what} (for optional fields, use \`.?name\` with \`.orValue(...)\`, or \`has(...)\`)`;
}

/** Sets an own property of an object. Also works for the key `__proto__`. */
export function setField(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

export function equals(budget: Budget, a: Json, b: Json): boolean {
  if (typeof a === 'string') {
    if (typeof b !== 'string' || a.length !== b.length) return false;
    budget.spendText(a.length);
    return a === b;
  }
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  budget.spend(1);
  if (isList(a))
    return isList(b) && a.length === b.length && a.every((value, i) => equals(budget, value, b[i] as Json));
  if (isList(b)) return false;
  const keys = Object.keys(a);
  budget.spend(keys.length);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equals(budget, a[key] as Json, b[key] as Json));
}

/** Converts a value for use inside a longer string. Null becomes an empty text, and lists and maps become JSON. */
export function toText(budget: Budget, value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'object') budget.spend(BUDGET - measure(value, BUDGET, 0));
  return JSON.stringify(value);
}

/**
 * The size of a JSON value: the length of all strings and keys, plus 1 for each JSON value.
 * @throws ExpressionError if the value is larger than 8,388,608 or nested deeper than 200
 */
export function checkSize(value: Json): number {
  const left = measure(value, MAX_RESULT_SIZE, 0);
  if (left >= 0) return MAX_RESULT_SIZE - left;
  throw new ExpressionError(
    `The result is larger than ${MAX_RESULT_SIZE} characters or nested deeper than ${MAX_RESULT_DEPTH} levels.`,
  );
}

/**
 * Subtracts the size of a value from `allowance`. The result is negative if the value is too large or nested deeper
 * than 200.
 */
function measure(value: Json, allowance: number, depth: number): number {
  let left = allowance - 1;
  const kind = kindOf(value);
  if (kind === 'string') return left - (value as string).length;
  if (kind !== 'list' && kind !== 'map') return left;
  if (depth >= MAX_RESULT_DEPTH) return -1;
  if (isList(value)) {
    for (const element of value) {
      left = measure(element, left, depth + 1);
      if (left < 0) return left;
    }
    return left;
  }
  const map = value as JsonObject;
  for (const key of Object.keys(map)) {
    left = measure(map[key] as Json, left - key.length, depth + 1);
    if (left < 0) return left;
  }
  return left;
}

/** @throws ExpressionError if a string of this length would be too long */
export function checkTextLength(length: number): void {
  if (length > MAX_TEXT_LENGTH)
    throw new ExpressionError(`The expression creates a text longer than ${MAX_TEXT_LENGTH} characters.`);
}

/** @throws ExpressionError if a list of this length would be too long */
export function checkListLength(length: number): void {
  if (length > MAX_LIST_LENGTH)
    throw new ExpressionError(`The expression creates a list longer than ${MAX_LIST_LENGTH} elements.`);
}
