import type { Call } from './call.js';
import { sortByKeys } from './functions.js';
import { asBool } from './operators.js';
import {
  type ValuePath,
  type Value,
  Budget,
  ExpressionError,
  NONE,
  Optional,
  describeKind,
  isList,
  lookUp,
  select,
  setField,
  unwrap,
} from './value.js';
import { isJsonObject, type Json } from './json.js';

/**
 * Cost of an error that `&&`, `||`, `all` or `exists` ignores. The cost is high, because creating an error object is
 * slow.
 */
const ERROR_COST = 200;

/** Values of an expression's variables by name, such as `input`. Reading a variable without a value is an error. */
export interface ExpressionScope {
  readonly [root: string]: unknown;
}

export class Frame {
  /** Values of macro variables, by the index that the compiler assigned to each variable. */
  readonly locals: Value[] = [];

  constructor(
    readonly scope: ExpressionScope,
    readonly budget: Budget,
  ) {}
}

/**
 * A compiled part of an expression, which computes its value.
 * @throws ExpressionError
 */
export type Step<T extends Value = Value> = (frame: Frame) => T;

export function rootStep(name: string): Step<Json> {
  return (frame) => {
    const value = Object.hasOwn(frame.scope, name) ? frame.scope[name] : undefined;
    if (value === undefined)
      throw new ExpressionError(`\`${name}\` is not available in this expression.`, name);
    return value as Json;
  };
}

/**
 * Compiles a field or element access. The result is an optional if the access uses `?`, or if the accessed value is an
 * optional.
 */
export function selectionStep(
  target: Step,
  key: string | Step<Json>,
  place: ValuePath,
  optional: boolean,
): Step {
  const keyOf: Step<Json> = typeof key === 'string' ? () => key : key;
  if (optional) return (frame) => lookUpOptional(unwrap(target(frame)), keyOf(frame));
  return (frame) => {
    const from = target(frame);
    if (from instanceof Optional) return lookUpOptional(unwrap(from), keyOf(frame));
    return select(from, keyOf(frame), place);
  };
}

function lookUpOptional(target: Json, key: Json): Optional {
  const value = lookUp(target, key);
  return value === undefined ? NONE : new Optional(value);
}

export function mapStep(
  entries: readonly { key: Step<Json>; path: string; value: Step<Json> }[],
): Step<Json> {
  return (frame) => {
    const map: Record<string, Json> = {};
    for (const { key: keyOf, path, value } of entries) {
      const key = keyOf(frame);
      if (typeof key !== 'string') {
        throw new ExpressionError(
          `The keys of a map must be strings, but the expression \`${path}\` returns ${describeKind(key)}.`,
          path,
        );
      }
      if (Object.hasOwn(map, key))
        throw new ExpressionError(`The key \`${path}\` occurs twice in a map.`, path);
      setField(map, key, value(frame));
    }
    return map;
  };
}

/**
 * Compiles the operator `&&` or `||`.
 * @param decisive operand value that decides the result, even if the other operand fails: false for `&&`, true for `||`
 */
export function logicalStep(first: Step<boolean>, second: Step<boolean>, decisive: boolean): Step<boolean> {
  return (frame) => {
    try {
      if (first(frame) === decisive) return decisive;
    } catch (error) {
      absorb(frame, error);
      if (second(frame) === decisive) return decisive;
      throw error;
    }
    return second(frame);
  };
}

/**
 * Subtracts the cost of an ignored error from the budget of the evaluation.
 * @throws ExpressionError if the budget is used up
 * @throws `error` itself if it is not an ExpressionError
 */
function absorb(frame: Frame, error: unknown): void {
  if (!(error instanceof ExpressionError)) throw error;
  frame.budget.spend(ERROR_COST);
}

export interface Loop {
  readonly name: string;
  readonly items: Step<Json>;
  readonly path: string;
  readonly slot: number;
  readonly cost: number;
}

function elements(loop: Loop, frame: Frame): readonly Json[] {
  const items = loop.items(frame);
  if (isList(items)) return items;
  if (isJsonObject(items)) {
    const keys = Object.keys(items);
    frame.budget.spend(keys.length);
    return keys;
  }
  throw new ExpressionError(
    `\`${loop.name}\` works on a list or map, but \`${loop.path}\` is ${describeKind(items)}.`,
    loop.path,
  );
}

function turn(loop: Loop, frame: Frame, element: Json): void {
  frame.budget.spend(loop.cost);
  frame.locals[loop.slot] = element;
}

/** Compiles the macro `map`. The form with three arguments also filters the elements. */
export function mapLoopStep(loop: Loop, filter: Step<boolean> | null, transform: Step<Json>): Step<Json> {
  return (frame) => {
    const results: Json[] = [];
    for (const element of elements(loop, frame)) {
      turn(loop, frame, element);
      if (filter === null || filter(frame)) results.push(transform(frame));
    }
    return results;
  };
}

export function filterLoopStep(loop: Loop, predicate: Step<boolean>): Step<Json> {
  return (frame) =>
    elements(loop, frame).filter((element) => {
      turn(loop, frame, element);
      return predicate(frame);
    });
}

export function existsOneLoopStep(loop: Loop, predicate: Step<boolean>): Step<boolean> {
  const filter = filterLoopStep(loop, predicate);
  return (frame) => (filter(frame) as readonly Json[]).length === 1;
}

export function sortByLoopStep(loop: Loop, keyOf: Step<Json>): Step<Json> {
  return (frame) => {
    const list = elements(loop, frame);
    const keys = list.map((element) => {
      turn(loop, frame, element);
      return keyOf(frame);
    });
    const call: Call = { budget: frame.budget, name: loop.name, path: loop.path };
    return sortByKeys(call, list, keys);
  };
}

/**
 * Compiles the macro `all` or `exists`.
 * @param decisive test result of one element that decides the macro, even if the test of other elements fails
 */
export function quantifierLoopStep(loop: Loop, predicate: Step<boolean>, decisive: boolean): Step<boolean> {
  return (frame) => {
    let failure: unknown = null;
    for (const element of elements(loop, frame)) {
      turn(loop, frame, element);
      try {
        if (predicate(frame) === decisive) return decisive;
      } catch (error) {
        absorb(frame, error);
        failure ??= error;
      }
    }
    if (failure !== null) throw failure;
    return !decisive;
  };
}

/** Compiles the macro `cel.bind`, which computes a value once and gives it a name. */
export function bindStep(slot: number, value: Step, body: Step): Step {
  return (frame) => {
    frame.locals[slot] = value(frame);
    return body(frame);
  };
}

export type OptionalMethodName = 'orValue' | 'or' | 'hasValue' | 'value';

/** Compiles a method of an optional, such as `orValue`. The argument is evaluated only if the optional has no value. */
export function optionalStep(
  name: OptionalMethodName,
  target: Step,
  argument: Step | null,
  path: string,
): Step {
  const needed: Step = argument ?? (() => absent(path));
  return (frame) => {
    const optional = target(frame);
    if (!(optional instanceof Optional)) {
      throw new ExpressionError(
        `\`${name}\` needs an optional value: write \`.?\` before the last name of \`${path}\`.`,
        path,
      );
    }
    if (name === 'hasValue') return optional.value !== undefined;
    if (optional.value === undefined) return needed(frame);
    return name === 'or' ? optional : optional.value;
  };
}

function absent(path: string): never {
  throw new ExpressionError(`\`${path}\` has no value.`, path);
}

export function boolStep(value: Step, operator: string, path: string): Step<boolean> {
  return (frame) => asBool(unwrap(value(frame)), operator, path);
}

/**
 * Wraps a compiled part of an expression so that it returns JSON instead of an optional. An optional without a value
 * becomes null.
 */
export function jsonStep(value: Step): Step<Json> {
  return (frame) => unwrap(value(frame));
}
