import {
  type Call,
  type ExpressionFunction,
  type ExpressionMethod,
  indexArgument,
  onList,
  onMap,
  refusal,
} from './call.js';
import { addNumbers, compare } from './operators.js';
import { TEXT_METHODS, characters } from './text-functions.js';
import {
  type Value,
  NONE,
  Optional,
  checkListLength,
  describeKind,
  equals,
  isList,
  kindOf,
  toText,
} from './value.js';
import { isJsonObject, type Json } from './json.js';

function numberArgument(call: Call, value: Json): number {
  if (typeof value === 'number') return value;
  throw refusal(call, `needs numbers, but got ${describeKind(value)}`);
}

function size(call: Call, value: Json): number {
  if (typeof value === 'string') return characters(call, value).length;
  if (isList(value)) return value.length;
  if (isJsonObject(value)) {
    const { length } = Object.keys(value);
    call.budget.spend(length);
    return length;
  }
  throw refusal(call, `works on a string, list or map, but \`${call.path}\` is ${describeKind(value)}`);
}

/**
 * Sorts the elements of a list by the key of each element. Elements with equal keys keep their order.
 * @throws ExpressionError if the keys are not all numbers, all strings or all bools
 */
export function sortByKeys(call: Call, list: readonly Json[], keys: readonly Json[]): Json[] {
  const compareBoth = order(call, keys);
  call.budget.spend(list.length * Math.ceil(Math.log2(list.length + 2)));
  const indices = keys.map((_, index) => index);
  indices.sort((a, b) => compareBoth(keys[a] as Json, keys[b] as Json));
  return indices.map((index) => list[index] as Json);
}

function order(call: Call, values: readonly Json[]): (a: Json, b: Json) => number {
  call.budget.spend(values.length);
  const [first] = values;
  const isSortable = typeof first !== 'object' && values.every((value) => typeof value === typeof first);
  if (!isSortable && values.length > 0)
    throw refusal(call, 'needs values that are all numbers, all strings or all bools');
  const site = { operator: call.name, left: call.path, right: call.path };
  return (a, b) => compare(call.budget, a, b, site);
}

function extreme(call: Call, values: readonly Json[], sign: 1 | -1): Json {
  const compareBoth = order(call, values);
  if (values.length === 0) throw refusal(call, 'needs at least one element');
  return values.reduce((best, value) => (compareBoth(value, best) * sign > 0 ? value : best));
}

function sum(call: Call, list: readonly Json[]): number {
  call.budget.spend(list.length);
  const site = { operator: '+', left: call.path, right: call.path };
  return list.reduce<number>((total, value) => addNumbers(total, numberArgument(call, value), site), 0);
}

function distinct(call: Call, list: readonly Json[]): Json[] {
  call.budget.spend(list.length);
  const simple = new Set<Json>();
  const compound: Json[] = [];
  return list.filter((value) => {
    if (typeof value === 'string') call.budget.spendText(value.length);
    if (typeof value !== 'object' || value === null) return !simple.has(value) && simple.add(value);
    return !compound.some((seen) => equals(call.budget, seen, value)) && compound.push(value);
  });
}

function toNumber(call: Call, value: Json): number {
  if (typeof value === 'number') return value;
  if (
    typeof value === 'string' &&
    value.length <= 64 &&
    /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)
  ) {
    const number = Number(value);
    if (Number.isFinite(number)) return number + 0;
  }
  throw refusal(
    call,
    typeof value === 'string' ? 'needs text that contains a number' : `cannot convert ${describeKind(value)}`,
  );
}

function toInteger(call: Call, value: Json): number {
  const whole = Math.trunc(toNumber(call, value)) + 0;
  if (Number.isSafeInteger(whole)) return whole;
  throw refusal(call, 'has a result outside the range of whole numbers in JSON');
}

function toBool(call: Call, value: Json): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw refusal(
    call,
    typeof value === 'string' ? 'needs the text "true" or "false"' : `cannot convert ${describeKind(value)}`,
  );
}

function one(run: (call: Call, value: Json) => Value): ExpressionFunction {
  return { arity: [1, 1], run: (call, args) => run(call, args[0] as Json) };
}

function onNumber(run: (value: number) => number): ExpressionFunction {
  return one((call, value) => run(numberArgument(call, value)) + 0);
}

/**
 * The values that `math.greatest` and `math.least` compare: the arguments, or if the only argument is a list, its
 * elements.
 */
function spread(args: readonly Json[]): readonly Json[] {
  const [first] = args;
  return args.length === 1 && Array.isArray(first) ? first : args;
}

export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map(
  Object.entries<ExpressionFunction>({
    size: one(size),
    string: one((call, value) => toText(call.budget, value)),
    int: one(toInteger),
    double: one(toNumber),
    bool: one(toBool),
    type: one((_, value) => kindOf(value)),
    dyn: one((_, value) => value),
    'math.abs': onNumber(Math.abs),
    'math.ceil': onNumber(Math.ceil),
    'math.floor': onNumber(Math.floor),
    'math.round': onNumber((value) => Math.sign(value) * Math.round(Math.abs(value))),
    'math.trunc': onNumber(Math.trunc),
    'math.sign': onNumber(Math.sign),
    'math.greatest': { arity: [1, 32], run: (call, args) => extreme(call, spread(args), 1) },
    'math.least': { arity: [1, 32], run: (call, args) => extreme(call, spread(args), -1) },
    'optional.of': one((_, value) => new Optional(value)),
    'optional.none': { arity: [0, 0], run: () => NONE },
  }),
);

/** Methods of CEL expressions by name. String indexes count Unicode characters, not UTF-16 code units. */
export const METHODS: ReadonlyMap<string, ExpressionMethod> = new Map(
  Object.entries<ExpressionMethod>({
    size: { arity: [0, 0], run: size },
    ...TEXT_METHODS,
    sum: onList(0, 0, sum),
    avg: onList(0, 0, (call, list) => {
      if (list.length === 0) throw refusal(call, 'needs at least one element');
      return sum(call, list) / list.length;
    }),
    min: onList(0, 0, (call, list) => extreme(call, list, -1)),
    max: onList(0, 0, (call, list) => extreme(call, list, 1)),
    sort: onList(0, 0, (call, list) => sortByKeys(call, list, list)),
    distinct: onList(0, 0, distinct),
    flatten: onList(0, 0, (call, list) => {
      const length = list.reduce<number>((total, part) => total + (Array.isArray(part) ? part.length : 1), 0);
      call.budget.spend(list.length + length);
      checkListLength(length);
      return list.flat();
    }),
    reverse: onList(0, 0, (call, list) => {
      call.budget.spend(list.length);
      return list.toReversed();
    }),
    slice: onList(1, 2, (call, list, args) => {
      call.budget.spend(list.length);
      const end = args.length > 1 ? indexArgument(call, args, 1, 0) : undefined;
      return list.slice(indexArgument(call, args, 0, 0), end);
    }),
    first: onList(0, 0, (_, list) => new Optional(list[0])),
    last: onList(0, 0, (_, list) => new Optional(list.at(-1))),
    keys: onMap((call, map) => {
      call.budget.spend(size(call, map));
      return Object.keys(map);
    }),
    values: onMap((call, map) => {
      call.budget.spend(size(call, map));
      return Object.values(map);
    }),
  }),
);
