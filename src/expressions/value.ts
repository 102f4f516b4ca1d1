import type { Json, JsonObject } from './json.js';

/** Node evaluations, or work worth as much, that one evaluation may spend; about 20 ms at worst. */
const BUDGET = 1_000_000;

/** Characters in a text that an expression builds. */
const MAX_TEXT_LENGTH = 1_048_576;

/** Elements of a list that an expression builds. */
export const MAX_LIST_LENGTH = 100_000;

/** Size of one result: characters of its texts and keys, and one for each value in it. */
const MAX_RESULT_SIZE = 8_388_608;

/** Depth of a result. */
const MAX_RESULT_DEPTH = 200;

/** Characters looked for in a text: a longer needle makes the search more than linear. */
const MAX_NEEDLE_LENGTH = 1000;

/** Thrown when an expression cannot be evaluated with the values it was given. Holds no value, only names. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code = 'expression_error';

  constructor(
    message: string,
    /** What the fault is about as the expression writes it, for example `input.customer.email`. */
    readonly path: string | null = null,
  ) {
    super(message);
  }
}

/** A value that may be absent: what `input.?name` gives. Wherever a value is needed, none counts as null. */
export class Optional {
  constructor(readonly value: Json | undefined) {}
}

/** The absent value. */
export const NONE = new Optional(undefined);

/** What an expression works with. Every number is a JSON number. */
export type Value = Json | Optional;

/** The value itself: null for none. */
export function unwrap(value: Value): Json {
  return value instanceof Optional ? (value.value ?? null) : value;
}

/** What is left of the work one evaluation may do. */
export class Budget {
  private left = BUDGET;

  /** Pays for work. Throws `ExpressionError` when nothing is left. */
  spend(cost: number): void {
    this.left -= cost;
    if (this.left < 0)
      throw new ExpressionError(
        'The expression takes too many steps: use smaller lists or fewer nested loops.',
      );
  }

  /** Pays for reading this many characters. */
  spendText(length: number): void {
    this.spend(1 + (length >> 5));
  }

  /** Pays for looking for one text in another. */
  spendSearch(text: string, needle: string): void {
    if (needle.length > MAX_NEEDLE_LENGTH) {
      throw new ExpressionError(`The text looked for is longer than ${MAX_NEEDLE_LENGTH} characters.`);
    }
    this.spend(1 + (text.length >> 3));
  }
}

export type Kind = 'null' | 'bool' | 'number' | 'string' | 'list' | 'map';

/** The kind of a value. Throws `ExpressionError` for what is not JSON. */
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
      throw new ExpressionError('A value in scope is not JSON.');
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

/** The kind of a value with its article, for a sentence. */
export function describeKind(value: Json): string {
  return KIND_NAMES[kindOf(value)];
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isMap(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The element or field, undefined where there is none. Reads own data only, never a prototype. */
export function lookUp(target: Json, key: Json): Json | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  if (isList(target)) return typeof key === 'number' ? target[key] : undefined;
  return typeof key === 'string' && Object.hasOwn(target, key) ? target[key] : undefined;
}

/** Where a value is read, as the expression writes it. */
export interface Place {
  readonly path: string;
  /** The longer path that it is the beginning of; the same where there is none. */
  readonly whole: string;
}

/** The element or field. Throws `ExpressionError` naming the place where there is none. */
export function select(target: Json, key: Json, place: Place): Json {
  const value = lookUp(target, key);
  if (value !== undefined) return value;
  throw new ExpressionError(
    `\`${place.whole}\` cannot be read: ${whyMissing(target, key, place)}.`,
    place.whole,
  );
}

function whyMissing(target: Json, key: Json, { path, whole }: Place): string {
  if (isList(target)) {
    if (typeof key !== 'number') return 'a list has numbered elements and no fields';
    return `the list has ${target.length} element${target.length === 1 ? '' : 's'} and none at index ${key}`;
  }
  if (!isMap(target)) return `what should hold \`${path}\` is ${describeKind(target)}`;
  if (typeof key !== 'string') return `the keys of a map are strings, not ${describeKind(key)}`;
  const what = path === whole ? 'there is no such field' : `there is no \`${path}\``;
  return `${what} (where it may be missing, use \`.?name\` with \`.orValue(...)\`, or \`has(...)\`)`;
}

/** Sets an own field whatever its name is: `__proto__` is data like any other. */
export function setField(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Whether two values are the same JSON. Values of different kinds are unequal. */
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

/** Text of a value inside other text: a string as it is, null as nothing, lists and maps as JSON. */
export function toText(budget: Budget, value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'object') budget.spend(BUDGET - measure(value, BUDGET, 0));
  return JSON.stringify(value);
}

/**
 * The size of a value: characters of its texts and keys, and one for each value in it. Throws `ExpressionError` where
 * it is too large or too deep to be a result.
 */
export function checkSize(value: Json): number {
  const left = measure(value, MAX_RESULT_SIZE, 0);
  if (left >= 0) return MAX_RESULT_SIZE - left;
  const limits = `larger than ${MAX_RESULT_SIZE} characters or nested deeper than ${MAX_RESULT_DEPTH}`;
  throw new ExpressionError(`The result is ${limits}.`);
}

/** What is left of an allowance for a value's size; negative as soon as it is used up, or the value too deep. */
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

/** Throws `ExpressionError` where a text of this length may not be built. */
export function checkTextLength(length: number): void {
  if (length > MAX_TEXT_LENGTH)
    throw new ExpressionError(`The expression builds a text longer than ${MAX_TEXT_LENGTH} characters.`);
}

/** Throws `ExpressionError` where a list of this length may not be built. */
export function checkListLength(length: number): void {
  if (length > MAX_LIST_LENGTH)
    throw new ExpressionError(`The expression builds a list longer than ${MAX_LIST_LENGTH} elements.`);
}
